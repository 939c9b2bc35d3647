import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { MEMBER } from "../group-members.js";
import { entryOf, idOf, principalOf, valuesOf } from "./entries.js";
import { NO_SUCH_ATTRIBUTE, NO_SUCH_ENTRY, SCHEMA_VIOLATION, VALUE_EXISTS } from "./failure.js";
import { accountsWith, grantOf } from "./grants.js";
import { type Group, groupWithId } from "./groups.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** A group and somebody, both found by id. */
interface Pair {
  readonly group: Group;
  readonly entry: Entry;
  /** What stands, or would stand, in the group for them. */
  readonly values: readonly string[];
}

export async function grant(ctx: Directory, spec: GrantSpec): Promise<ApplyResult> {
  return signedIn(ctx, async (session) => {
    const found = await pairOf(session, ctx, spec);
    if (!found.group) throw new ConnectorError("not_found", "There is no such group.", { code: "resource" });
    if (!found.entry) throw new ConnectorError("not_found", "There is no such entry.", { code: "principal" });
    const pair = { ...found, group: found.group, entry: found.entry };
    const reason = await objection(session, ctx, pair);
    if (reason) return { outcome: "declined", reason };
    const given = grantOf(pair.group, principalOf(pair.entry, spec.principal.externalId));
    if (await isMember(session, pair)) return { outcome: "already_applied", grant: given };
    const { dn, kind } = pair.group;
    const refusal = await session.change(dn, kind.attribute, { add: pair.values[0] as string });
    if (refusal === undefined) return { outcome: "applied", grant: given };
    if (refusal === VALUE_EXISTS) return { outcome: "already_applied", grant: given };
    if (refusal === NO_SUCH_ENTRY)
      throw new ConnectorError("not_found", "There is no such group.", { code: "resource" });
    throw new ConnectorError("invalid", "The schema of the directory does not allow this member.");
  });
}

export async function revoke(ctx: Directory, spec: GrantSpec): Promise<ApplyResult> {
  return signedIn(ctx, async (session) => {
    const { group, values } = await pairOf(session, ctx, spec);
    let changed = false;
    for (const value of group ? values : []) {
      const { dn, kind } = group as Group;
      if (!(await session.has(dn, kind.attribute, value))) continue;
      let refusal = await session.change(dn, kind.attribute, { remove: value });
      const { placeholderDn } = ctx.config;
      if (refusal === SCHEMA_VIOLATION && placeholderDn && kind.by === "name")
        refusal = await session.change(dn, kind.attribute, { add: placeholderDn, remove: value });
      if (refusal === SCHEMA_VIOLATION) return { outcome: "declined", reason: LAST };
      if (refusal === undefined) changed = true;
      else if (refusal !== NO_SUCH_ATTRIBUTE && refusal !== NO_SUCH_ENTRY)
        throw new ConnectorError("conflict", "The group changed at this moment.");
    }
    return { outcome: changed ? "applied" : "already_applied" };
  });
}

const LAST = "It is the last member of a group that may not be empty, and no placeholder is configured.";

/** Asks the directory to compare, which is never a copy of what was listed. */
export async function verify(ctx: Directory, spec: GrantSpec): Promise<VerifyResult> {
  return signedIn(ctx, async (session) => {
    const { group, entry, values } = await pairOf(session, ctx, spec);
    if (!group || !entry || !(await isMember(session, { group, entry, values })))
      return { presence: "absent", authoritative: true };
    const observed = grantOf(group, principalOf(entry, spec.principal.externalId));
    return { presence: "present", observed, authoritative: true };
  });
}

async function pairOf(
  session: Session,
  ctx: Directory,
  { resource, principal, profileExternalId }: GrantSpec,
): Promise<{ group: Group | undefined; entry: Entry | undefined; values: readonly string[] }> {
  if (resource.type !== "group" || profileExternalId !== MEMBER)
    throw new ConnectorError("invalid", "There is no such profile of this type of resource.");
  const [group, entry] = await Promise.all([
    groupWithId(session, ctx, resource.externalId),
    entryOf(session, ctx, principal.externalId),
  ]);
  const values = entry === undefined ? [] : group?.kind.by === "uid" ? valuesOf(entry, "uid") : [entry.dn];
  return { group, entry, values };
}

/** Why somebody cannot be made a member, if so. */
async function objection(
  session: Session,
  ctx: Directory,
  { group, entry, values }: Pair,
): Promise<string | undefined> {
  if (idOf(entry) === group.id) return "A group is no member of itself.";
  if (group.kind.by === "name") return undefined;
  const [uid] = values;
  if (uid === undefined) return "The group holds members by uid, and the entry has none.";
  const people = await accountsWith(session, ctx, uid);
  return people.length === 1 && people[0]?.dn === entry.dn
    ? undefined
    : "The uid does not stand for this account alone.";
}

async function isMember(session: Session, { group, values }: Pair): Promise<boolean> {
  const held = await Promise.all(values.map((value) => session.has(group.dn, group.kind.attribute, value)));
  return held.includes(true);
}
