import type { Entry } from "ldapts";
import { idOf, valuesOf } from "./entries.js";
import { accountsWith } from "./grants.js";
import type { Group } from "./groups.js";
import type { Directory } from "./manifest.js";
import { folded, withoutUid } from "./members.js";
import type { Session } from "./session.js";

/** How a directory folds a `uid`, in which case and spaces at the ends say nothing. */
const foldedUid = (uid: string): string => uid.trim().toLowerCase().replaceAll(/\s+/g, " ");

/**
 * The values of a group that stand for an entry, byte for byte as the directory lists them: a name may be written in
 * several ways or end in an identifier, and a `uid` may be in capitals.
 */
export async function standingFor(
  session: Session,
  ctx: Directory,
  { dn, kind: { attribute, by } }: Group,
  entry: Entry,
): Promise<readonly string[]> {
  const group = await session.entry(dn, [attribute]);
  const listed = group ? valuesOf(group, attribute) : [];
  const uids = new Set(valuesOf(entry, "uid").map(foldedUid));
  const alike =
    by === "name"
      ? listed.filter((value) => folded(value) === folded(entry.dn))
      : listed.filter((value) => uids.has(foldedUid(value)));
  const found: string[] = [];
  for (const value of alike) if (await standsFor(session, ctx, value, by, entry)) found.push(value);
  return found;
}

async function standsFor(session: Session, ctx: Directory, value: string, by: "name" | "uid", entry: Entry) {
  if (by === "uid") {
    const people = await accountsWith(session, ctx, value);
    return people.length === 1 && people[0]?.dn === entry.dn;
  }
  if (withoutUid(value) === entry.dn) return true;
  const named = await session.entry(withoutUid(value), ["entryUUID"]);
  return named !== undefined && idOf(named) === idOf(entry);
}
