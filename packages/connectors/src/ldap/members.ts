import { createHash } from "node:crypto";
import { ID_ATTRIBUTES, idOf, valuesOf } from "./entries.js";
import type { Group } from "./groups.js";
import type { Directory } from "./manifest.js";
import type { Session } from "./session.js";

/** A value that makes somebody a member of a group, itself or through a group in it. */
export interface Membership {
  readonly group: Group;
  readonly value: string;
  readonly by: "name" | "uid";
  readonly inherited: boolean;
  /** Orders memberships of a group, and stays the same. */
  readonly key: string;
}

/**
 * Members of a group and of all groups in it. Its own come first, and stand for both where somebody is in it twice.
 * Each group is read once, so that groups in each other end. `nested` finds
 * groups that the name of a member may stand for.
 */
export async function membershipsOf(
  session: Session,
  { config }: Directory,
  group: Group,
  nested: (name: string) => readonly Group[],
): Promise<readonly Membership[]> {
  const found = new Map<string, Membership>();
  const read = new Set<string>();
  const waiting = [group];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (read.has(next.id)) continue;
    read.add(next.id);
    const { attribute, by } = next.kind;
    const entry = await session.entry(next.dn, [attribute]);
    for (const value of entry ? valuesOf(entry, attribute) : []) {
      if (config.placeholderDn && folded(value) === folded(config.placeholderDn)) continue;
      const key = createHash("sha256").update(`${by} ${value}`).digest("hex");
      const inherited = next !== group;
      if (!found.has(key))
        found.set(key, { group, value: by === "name" ? withoutUid(value) : value, by, inherited, key });
      if (by !== "name") continue;
      for (const candidate of nested(value)) if (await isNamed(session, candidate, value)) waiting.push(candidate);
    }
  }
  return [...found.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

async function isNamed(session: Session, { dn, id }: Group, name: string): Promise<boolean> {
  if (dn === name) return true;
  const entry = await session.entry(withoutUid(name), ID_ATTRIBUTES);
  return entry !== undefined && idOf(entry) === id;
}

/** `uniqueMember` may end in an identifier, as in `cn=a#'0101'B`. */
export const withoutUid = (value: string): string => value.replace(/#'[01]*'B$/, "");

/**
 * A name without what servers may write in several ways. Different names may become the same, so what is found by it
 * is looked at again.
 */
export const folded = (name: string): string =>
  withoutUid(name)
    .toLowerCase()
    .replaceAll(/[\s\\]/g, "");
