import { isSame } from "#kernel/records/is-same.js";
import { exemptionState } from "./exemption-terms.js";
import type { Finding } from "./fields.js";
import { isOpen } from "./finding-terms.js";

/** The fields of a finding that one change sets. */
export type FindingPatch = Partial<Finding>;

/** The kinds of change of a finding. `touched` has no event. */
export type FindingVerb =
  | "updated"
  | "resolved"
  | "reopened"
  | "refuted"
  | "exempted"
  | "voided"
  | "closed"
  | "touched";

/** Fields that are not compared to decide whether a finding was updated. */
const PASSING: ReadonlySet<string> = new Set<keyof Finding>([
  "lastSeenAt",
  "occurrences",
  "policyRevision",
  "evidence",
  "reevaluationRequestedAt",
  "nextChangeAt",
  "covers",
  "version",
  "updatedAt",
  "updatedBy",
]);

/** The kind of change between two versions of a finding. `next` must be as of `now`. */
export function verbOf(before: Finding, next: Finding, now: string): FindingVerb {
  if (next.status !== before.status && isOver(next)) return next.status === "closed" ? "closed" : "resolved";
  if (isOver(before) && !isOver(next) && next.status !== "dismissed") return "reopened";
  if (next.refutedFixes > before.refutedFixes) return "refuted";
  const evidenceIsNew = before.evidence.digest !== next.evidence.digest;
  const stands = isOpen(next.status) || next.status === "exempted";
  if (before.status === "dismissed" && stands)
    return evidenceIsNew || before.effectiveSeverity !== next.effectiveSeverity ? "voided" : "reopened";
  if (before.status === "exempted" && isOpen(next.status) && stillHas(next, before.exemptionId, now)) return "voided";
  if (next.status === "exempted" && before.status !== "exempted") return "exempted";
  return evidenceIsNew || hasNews(before, next) ? "updated" : "touched";
}

/** Whether an exemption is active in time but does not exempt the finding any more. */
function stillHas({ covers }: Finding, exemptionId: string | null, now: string): boolean {
  const cover = covers.find((each) => each.exemptionId === exemptionId);
  return cover !== undefined && exemptionState({ ...cover, status: "approved" }, now) === "active";
}

const isOver = ({ status }: Finding) => status === "resolved" || status === "closed";

function hasNews(before: Finding, next: Finding): boolean {
  return fieldsOf(next).some((field) => !PASSING.has(field) && !isSame(before[field], next[field]));
}

/** The fields of `next` that differ from `before`. */
export function differences(before: Finding, next: Finding): FindingPatch {
  const changed = fieldsOf(next).filter((field) => !isSame(before[field], next[field]));
  return Object.fromEntries(changed.map((field) => [field, next[field]]));
}

const fieldsOf = (finding: Finding) => Object.keys(finding) as (keyof Finding)[];
