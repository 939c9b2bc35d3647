import {
  ConnectorError,
  type GrantQuery,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type Principal,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { memberGrant } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { readPart } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf, type Member, membersOf } from "./provider.js";

/** Where a listing of members goes on. A group is told by its id, since positions shift. */
const Cursor = z.object({
  /** Position of the next group. */
  start: z.int().min(1),
  /** Groups in all. */
  total: z.int().min(0),
  /** Nothing has come or gone so far. */
  steady: z.boolean(),
  /** Groups that are yet to be read. */
  groups: z.array(z.string()),
  /** The last member that was read of the first of them. */
  after: z.string().optional(),
});
type Cursor = z.output<typeof Cursor>;

const GROUPS = 50;
const Id = z.object({ id: z.string().min(1).max(500) });

/** Members of one group or of all, group by group. */
export async function listMembers(ctx: Provider, query: GrantQuery, page: PageRequest): Promise<Page<ObservedGrant>> {
  if (query.resource && query.resource.type !== "group") return { items: [], complete: true };
  const api = await apiOf(ctx);
  const at = page.cursor === undefined ? firstOf(query) : parseCursor(Cursor, page.cursor);
  const { groups, start, total, steady, after } = at.groups.length > 0 ? at : await moreGroups(ctx, api, at);
  const [groupId, ...later] = groups;
  if (groupId === undefined) return { items: [], complete: steady };
  const members = await membersOf(ctx, api, groupId).catch((error) => {
    if (query.resource || !isMissing(error)) throw error;
    return undefined;
  });
  const { items, last } = membersAfter(members ?? [], after, page.limit);
  const grants = items.filter((member) => isAskedFor(member, query)).map((member) => grantOf(groupId, member));
  const next = { start, total, steady: steady && members !== undefined };
  if (last === undefined && later.length === 0 && start > total) return { items: grants, complete: next.steady };
  const goesOn = last === undefined ? { groups: later } : { groups, after: last };
  return { items: grants, nextCursor: JSON.stringify({ ...next, ...goesOn } satisfies Cursor), complete: false };
}

function firstOf({ resource }: GrantQuery): Cursor {
  return resource
    ? { start: 1, total: 0, steady: true, groups: [resource.externalId] }
    : { start: 1, total: Number.MAX_SAFE_INTEGER, steady: true, groups: [] };
}

/** A group that has gone since it was listed. */
const isMissing = (error: unknown) => ConnectorError.is(error) && error.errorClass === "not_found";

async function moreGroups(ctx: Provider, api: JsonApi, { start, total: before, steady }: Cursor): Promise<Cursor> {
  const query = { attributes: "id" };
  const { total, items } = await readPart(ctx, api, { path: "Groups", query, start, count: GROUPS });
  const groups = items.flatMap((given) => Id.safeParse(given).data?.id ?? []);
  const asListed = start === 1 || before === total;
  const usable = groups.length === items.length && (items.length > 0 || start > total);
  return {
    start: items.length === 0 ? total + 1 : start + items.length,
    total,
    steady: steady && asListed && usable,
    groups,
  };
}

/** Members by id, so that those who come and go between two pages shift nobody else. */
function membersAfter(members: readonly Member[], after: string | undefined, limit: number) {
  const distinct = new Map(members.map((member) => [member.value, member]));
  const sorted = [...distinct.values()].sort((one, other) => (one.value < other.value ? -1 : 1));
  const rest = after === undefined ? sorted : sorted.filter(({ value }) => value > after);
  const items = rest.slice(0, limit);
  return { items, last: rest.length > limit ? items.at(-1)?.value : undefined };
}

function isAskedFor(member: Member, { principals }: GrantQuery): boolean {
  if (!principals) return true;
  const { type, externalId } = principalOf(member);
  return principals.some((one) => one.type === type && one.externalId === externalId);
}

export function grantOf(groupId: string, member: Member): ObservedGrant {
  return memberGrant(groupId, principalOf(member));
}

function principalOf({ value, display, type }: Member): Principal {
  return {
    type: type?.toLowerCase() === "group" ? "group" : "user",
    externalId: value,
    ...(display ? { displayName: display } : {}),
  };
}
