import { ReeveError } from "./errors.js";
import { listHeader, type NeutralRequest } from "./http.js";

/** The value of `If-Match` or `If-None-Match`: any version, or one of these. In `If-Match` weak tags match nothing. */
export type VersionCondition = "*" | readonly string[];

export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Parses a conditional header; `undefined` when absent. */
export function versionCondition(
  request: NeutralRequest,
  header: "if-match" | "if-none-match",
): VersionCondition | undefined {
  const value = listHeader(request, header);
  if (value === undefined) return undefined;
  if (value.trim() === "*") return "*";
  const tags = value.split(",").map((tag) => tag.trim());
  // `If-None-Match` compares weakly, because caches weaken tags.
  return header === "if-none-match" ? tags.map((tag) => tag.replace(/^W\//, "")) : tags;
}

/** Whether a condition names this entity tag. */
export function matches(condition: VersionCondition, tag: string): boolean {
  return condition === "*" || condition.includes(tag);
}

/** 412 with the current version, unless the condition names it or an earlier one from `since` on. */
export function requireVersion(condition: VersionCondition | undefined, version: number, since = version): void {
  if (condition === undefined || matches(condition, entityTag(version))) return;
  if (condition !== "*" && condition.some((tag) => isBetween(tag, since, version))) return;
  throw new ReeveError("precondition_failed", undefined, {
    members: { current: version },
    headers: { etag: entityTag(version) },
  });
}

/** 412 with any condition, for what is not there. */
export function requireNoVersion(condition: VersionCondition | undefined): void {
  if (condition !== undefined) throw new ReeveError("precondition_failed", undefined, { members: { current: 0 } });
}

/** 428 unless the condition names a version. `*` names none. */
export function requireNamedVersion(condition: VersionCondition | undefined): void {
  if (condition === undefined || condition === "*") throw new ReeveError("precondition_required");
}

function isBetween(tag: string, since: number, version: number): boolean {
  const named = Number(tag.slice(1, -1));
  return entityTag(named) === tag && named >= since && named < version;
}
