import {
  ConnectorError,
  type GrantQuery,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type Principal,
  type RejectedItem,
  wholeUnless,
} from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { memberGrant } from "../group-members.js";
import { entryOf, ID_FORM, idOf, principalOf, valuesOf, WHO } from "./entries.js";
import { allGroups, type Group } from "./groups.js";
import type { Directory } from "./manifest.js";
import { folded, type Membership, membershipsOf } from "./members.js";
import { type Session, signedIn } from "./session.js";

const CURSOR = new RegExp(`^(${ID_FORM}) ([0-9a-f]{64})$`);

/** Group by group in the order of ids, and members in the order of their keys. */
export async function listGrants(
  ctx: Directory,
  { resource, principals }: GrantQuery,
  { cursor, limit }: PageRequest,
): Promise<Page<ObservedGrant>> {
  const [, group = "", key = ""] = CURSOR.exec(cursor ?? "") ?? [];
  if (cursor !== undefined && group === "") throw new ConnectorError("invalid", "There is no such page.");
  return signedIn(ctx, async (session) => {
    const { groups, whole, rejected: odd } = await allGroups(session, ctx);
    const wanted = groups.filter(({ id }) => (resource === undefined || resource.externalId === id) && id >= group);
    const isAsked = await filterOf(session, ctx, principals);
    const nested = byName(groups);
    const found: Membership[] = [];
    for (const each of wanted.sort((one, other) => (one.id < other.id ? -1 : 1))) {
      const members = await membershipsOf(session, ctx, each, nested);
      found.push(...members.filter((member) => isAsked(member) && (each.id !== group || member.key > key)));
      if (found.length > limit) break;
    }
    const fitting = found.slice(0, limit);
    const { items, rejected } = await observed(session, ctx, fitting, principals);
    const last = fitting.at(-1);
    return found.length > limit && last
      ? { items, rejected, nextCursor: `${last.group.id} ${last.key}`, complete: false }
      : { items, rejected, ...wholeUnless(!whole ? "hidden" : odd.length > 0 ? "rejected" : null) };
  });
}

function byName(groups: readonly Group[]): (name: string) => readonly Group[] {
  const found = new Map<string, Group[]>();
  for (const group of groups) found.set(folded(group.dn), [...(found.get(folded(group.dn)) ?? []), group]);
  return (name) => found.get(folded(name)) ?? [];
}

/** Whether a membership may be of somebody that was asked for. */
async function filterOf(
  session: Session,
  ctx: Directory,
  principals: readonly Principal[] | undefined,
): Promise<(membership: Membership) => boolean> {
  if (!principals) return () => true;
  const entries = await Promise.all(principals.map(({ externalId }) => entryOf(session, ctx, externalId)));
  const there = entries.filter((entry): entry is Entry => entry !== undefined);
  const names = new Set(there.map(({ dn }) => folded(dn)));
  const uids = new Set(there.flatMap((entry) => valuesOf(entry, "uid")));
  return ({ value, by }) => (by === "name" ? names.has(folded(value)) : uids.has(value));
}

async function observed(
  session: Session,
  ctx: Directory,
  memberships: readonly Membership[],
  principals: readonly Principal[] | undefined,
): Promise<{ items: readonly ObservedGrant[]; rejected: readonly RejectedItem[] }> {
  const asked = principals && new Set(principals.map(({ externalId }) => externalId));
  const members = await Promise.all(
    memberships.map(async (membership) => ({ membership, found: await memberOf(session, ctx, membership) })),
  );
  const items = new Map<string, ObservedGrant>();
  const rejected: RejectedItem[] = [];
  for (const { membership, found } of members) {
    const id = found && idOf(found);
    if (!found || !id)
      rejected.push({
        externalId: membership.group.id,
        reason: "A member is no one entry that has an entryUUID or nsUniqueId.",
      });
    else if (!asked || asked.has(id)) {
      const grant = grantOf(membership.group, principalOf(found, id), membership.inherited);
      const key = `${grant.resource.externalId} ${id}`;
      if (grant.source === "direct" || !items.has(key)) items.set(key, grant);
    }
  }
  return { items: [...items.values()], rejected };
}

export const grantOf = ({ id }: Group, principal: Principal, inherited = false): ObservedGrant => ({
  ...memberGrant(id, principal),
  source: inherited ? "inherited" : "direct",
});

/** The entry of a member. A `uid` of several people is nobody's. */
async function memberOf(session: Session, ctx: Directory, { value, by }: Membership): Promise<Entry | undefined> {
  if (by === "name") return session.entry(value, WHO);
  const people = await accountsWith(session, ctx, value);
  return people.length === 1 ? people[0] : undefined;
}

/** Accounts with a `uid`, which ought to be one. */
export async function accountsWith(
  { library, search }: Session,
  { config }: Directory,
  uid: string,
): Promise<readonly Entry[]> {
  const filter = new library.AndFilter({
    filters: [
      new library.EqualityFilter({ attribute: "objectClass", value: "posixAccount" }),
      new library.EqualityFilter({ attribute: "uid", value: uid }),
    ],
  });
  return (await search(config.baseDn, filter, WHO)).entries;
}
