import {
  ConnectorError,
  type GrantQuery,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type RejectedItem,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { memberGrant } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { LinkPosition } from "../link-page.js";
import type { Organisation } from "./manifest.js";
import { apiOf, Group, groupOf, isChangeable, listOf, User } from "./organisation.js";

type Known = Pick<Group, "id" | "type">;

/** Where a listing of members goes on. */
const Cursor = z.object({
  /** Where the groups go on; `null` for their beginning, absent when all groups are known. */
  more: LinkPosition.nullable().optional(),
  /** Groups that are yet to be read. */
  groups: z.array(z.object({ id: z.string(), type: z.string() })),
  /** Where the users of the first of them go on. */
  users: LinkPosition.optional(),
  /** No group has gone, or could not be read, so far. */
  steady: z.boolean(),
});
type Cursor = z.output<typeof Cursor>;

const GROUPS = 50;

/** Members of one group or of all, group by group. */
export async function listMembers(
  ctx: Organisation,
  query: GrantQuery,
  page: PageRequest,
): Promise<Page<ObservedGrant>> {
  if (query.resource && query.resource.type !== "group") return { items: [], complete: true };
  const api = await apiOf(ctx);
  const at = await position(ctx, api, query, page);
  const [group, ...later] = at.groups;
  if (group === undefined) return endOr({ ...at, groups: later }, { items: [] });
  const part = { at: at.users, limit: page.limit };
  const listed = await listOf(ctx, api, ["groups", group.id, "users"], part).catch((error) => {
    if (query.resource || !isMissing(error)) throw error;
    return { items: [], next: undefined, gone: true };
  });
  const { items, rejected } = grantsOf(group, listed.items, query);
  const steady = at.steady && !("gone" in listed);
  const { users: _read, ...rest } = at;
  const next = listed.next === undefined ? { ...rest, groups: later } : { ...rest, users: listed.next };
  return endOr({ ...next, steady }, { items, rejected });
}

async function position(ctx: Organisation, api: JsonApi, { resource }: GrantQuery, { cursor }: PageRequest) {
  const at: Cursor = cursor === undefined ? { more: null, groups: [], steady: true } : parseCursor(Cursor, cursor);
  if (at.groups.length > 0 || at.more === undefined) return at;
  if (resource) return { groups: [knownOf(await groupOf(ctx, api, resource.externalId))], steady: true };
  const { items, next } = await listOf(ctx, api, ["groups"], { at: at.more ?? undefined, limit: GROUPS });
  const groups = items.flatMap((given) => {
    const { data } = Group.safeParse(given);
    return data ? [knownOf(data)] : [];
  });
  const steady = at.steady && groups.length === items.length;
  return { groups, steady, ...(next === undefined ? {} : { more: next }) };
}

const knownOf = ({ id, type }: Group): Known => ({ id, type });

/** A page after which the listing goes on, or has ended. */
function endOr(next: Cursor, page: Pick<Page<ObservedGrant>, "items" | "rejected">): Page<ObservedGrant> {
  if (next.groups.length === 0 && next.more === undefined) return { ...page, complete: next.steady };
  return { ...page, nextCursor: JSON.stringify(next), complete: false };
}

function grantsOf(group: Known, given: readonly unknown[], { principals }: GrantQuery) {
  const rejected: RejectedItem[] = [];
  const items = given.flatMap((one) => {
    const { data: user } = User.safeParse(one);
    if (!user) {
      rejected.push({ reason: "A member has no id or no login that can be kept." });
      return [];
    }
    const wanted = !principals || principals.some(({ type, externalId }) => type === "user" && externalId === user.id);
    return wanted ? [grantOf(group, user.id, user.profile.displayName ?? user.profile.login)] : [];
  });
  return { items, rejected };
}

export function grantOf(group: Known, userId: string, displayName?: string): ObservedGrant {
  const principal = { type: "user", externalId: userId, ...(displayName ? { displayName } : {}) } as const;
  return { ...memberGrant(group.id, principal), ...(isChangeable(group) ? {} : { immutable: true }) };
}

const isMissing = (error: unknown) => ConnectorError.is(error) && error.errorClass === "not_found";
