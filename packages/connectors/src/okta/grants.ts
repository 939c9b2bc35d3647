import {
  ConnectorError,
  type GrantQuery,
  INCOMPLETE_REASONS,
  type ListingEnd,
  notWhole,
  type ObservedGrant,
  type Page,
  type PageRequest,
  WHOLE,
  wholeUnless,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { memberGrant } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { LinkPosition } from "../link-page.js";
import { type Sifted, sift } from "../sift.js";
import type { Organisation } from "./manifest.js";
import {
  apiOf,
  type Group,
  groupOf,
  isChangeable,
  LONGEST_ID,
  listOf,
  readGroup,
  readUser,
  type User,
} from "./organisation.js";

type Known = Pick<Group, "id" | "type">;

/** Where a listing of members goes on. */
const Cursor = z.object({
  /** Where the groups go on; `null` for their beginning, absent when all groups are known. */
  more: LinkPosition.nullable().optional(),
  /** Groups that are yet to be read. */
  groups: z.array(z.object({ id: z.string(), type: z.string().optional() })),
  /** Where the users of the first of them go on. */
  users: LinkPosition.optional(),
  /** Why something may have been left out so far. */
  doubt: z.enum(INCOMPLETE_REASONS).nullable(),
});
type Cursor = z.output<typeof Cursor>;

const GROUPS = 50;

/** Members of one group or of all, group by group. */
export async function listMembers(
  ctx: Organisation,
  query: GrantQuery,
  page: PageRequest,
): Promise<Page<ObservedGrant>> {
  if (query.resource && query.resource.type !== "group") return { items: [], ...WHOLE };
  const api = await apiOf(ctx);
  const at = await position(ctx, api, query, page);
  const [group, ...later] = at.groups;
  if (group === undefined) return endOr({ ...at, groups: later }, { items: [] });
  const part = { at: at.users, limit: page.limit };
  const listed = await listOf(ctx, api, ["groups", group.id, "users"], part).catch((error) => {
    if (query.resource || !isMissing(error)) throw error;
    return { items: [], next: undefined, end: notWhole("hidden") };
  });
  const { items, rejected, warnings } = grantsOf(group, listed.items, query);
  const doubt = at.doubt ?? (rejected.length > 0 ? "rejected" : doubtOf(listed.end));
  const { users: _read, ...rest } = at;
  const next = listed.next === undefined ? { ...rest, groups: later } : { ...rest, users: listed.next };
  return endOr({ ...next, doubt }, { items, rejected, warnings });
}

async function position(
  ctx: Organisation,
  api: JsonApi,
  { resource }: GrantQuery,
  { cursor }: PageRequest,
): Promise<Cursor> {
  const at: Cursor = cursor === undefined ? { more: null, groups: [], doubt: null } : parseCursor(Cursor, cursor);
  if (at.groups.length > 0 || at.more === undefined) return at;
  if (resource) return { groups: [knownOf(await groupOf(ctx, api, resource.externalId))], doubt: null };
  const { items, next, end } = await listOf(ctx, api, ["groups"], { at: at.more ?? undefined, limit: GROUPS });
  const { items: groups, rejected } = sift(
    items,
    (id, group, parts) => knownOf(readGroup(id, group, parts)),
    LONGEST_ID,
  );
  const doubt = at.doubt ?? (rejected.length > 0 ? "rejected" : doubtOf(end));
  return { groups: [...groups], doubt, ...(next === undefined ? {} : { more: next }) };
}

const doubtOf = (end: ListingEnd) => (end.complete ? null : end.incomplete);

const knownOf = ({ id, type }: Pick<Group, "id" | "type">): Known => ({ id, ...(type === undefined ? {} : { type }) });

/** A page after which the listing goes on, or has ended. */
function endOr(next: Cursor, page: Pick<Page<ObservedGrant>, "items" | "rejected" | "warnings">): Page<ObservedGrant> {
  if (next.groups.length === 0 && next.more === undefined) return { ...page, ...wholeUnless(next.doubt) };
  return { ...page, nextCursor: JSON.stringify(next), complete: false };
}

function grantsOf(group: Known, given: readonly unknown[], { principals }: GrantQuery): Sifted<ObservedGrant> {
  const { items: users, ...odd } = sift<User>(given, readUser, LONGEST_ID);
  const isWanted = ({ id }: User) =>
    !principals || principals.some(({ type, externalId }) => type === "user" && externalId === id);
  const items = users.filter(isWanted).map(({ id, displayName, login }) => grantOf(group, id, displayName ?? login));
  return { items, ...odd };
}

export function grantOf(group: Known, userId: string, displayName?: string): ObservedGrant {
  const principal = { type: "user", externalId: userId, ...(displayName ? { displayName } : {}) } as const;
  return { ...memberGrant(group.id, principal), ...(isChangeable(group) ? {} : { immutable: true }) };
}

const isMissing = (error: unknown) => ConnectorError.is(error) && error.errorClass === "not_found";
