import {
  ConnectorError,
  type GrantQuery,
  INCOMPLETE_REASONS,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type Principal,
  WHOLE,
  wholeUnless,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { memberGrant } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { FIRST, Position, readOn } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf, type Member, membersOf } from "./provider.js";

/** Where a listing of members goes on. A group is told by its id, since positions shift. */
const Cursor = z.object({
  /** Where the groups go on; absent when all are known. */
  more: Position.optional(),
  /** Why something may have been left out so far. */
  doubt: z.enum(INCOMPLETE_REASONS).nullable(),
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
  if (query.resource && query.resource.type !== "group") return { items: [], ...WHOLE };
  const api = await apiOf(ctx);
  const at = page.cursor === undefined ? firstOf(query) : parseCursor(Cursor, page.cursor);
  const { groups, more, doubt, after } = at.groups.length > 0 ? at : await moreGroups(ctx, api, at);
  const [groupId, ...later] = groups;
  if (groupId === undefined) return endOr({ groups, doubt, ...(more ? { more } : {}) }, { items: [] });
  const members = await membersOf(ctx, api, groupId).catch((error) => {
    if (query.resource || !isMissing(error)) throw error;
    return undefined;
  });
  const { items, last } = membersAfter(members?.members ?? [], after, page.limit);
  const grants = items.filter((member) => isAskedFor(member, query)).map((member) => grantOf(groupId, member));
  const goesOn = last === undefined ? { groups: later } : { groups, after: last };
  const { rejected = [], warnings = [] } = members ?? {};
  const odd = members === undefined ? ("hidden" as const) : rejected.length > 0 ? ("rejected" as const) : null;
  const next = { ...goesOn, doubt: doubt ?? odd, ...(more ? { more } : {}) };
  // A group is read for each page of it, and what is odd in it told once.
  return endOr(next, { items: grants, ...(after === undefined ? { rejected, warnings } : {}) });
}

/** A page after which the listing goes on, or has ended. */
function endOr(next: Cursor, page: Pick<Page<ObservedGrant>, "items" | "rejected" | "warnings">): Page<ObservedGrant> {
  if (next.groups.length === 0 && next.more === undefined) return { ...page, ...wholeUnless(next.doubt) };
  return { ...page, nextCursor: JSON.stringify(next), complete: false };
}

const firstOf = ({ resource }: GrantQuery): Cursor =>
  resource ? { groups: [resource.externalId], doubt: null } : { more: FIRST, groups: [], doubt: null };

/** A group that has gone since it was listed. */
const isMissing = (error: unknown) => ConnectorError.is(error) && error.errorClass === "not_found";

async function moreGroups(ctx: Provider, api: JsonApi, { more = FIRST, doubt }: Cursor): Promise<Cursor> {
  const part = await readOn(ctx, api, { path: "Groups", query: { attributes: "id" }, count: GROUPS }, more);
  const groups = part.items.flatMap((given) => Id.safeParse(given).data?.id ?? []);
  const unusable = groups.length === part.items.length ? null : "rejected";
  if ("next" in part) return { groups, more: part.next, doubt: doubt ?? unusable };
  return { groups, doubt: doubt ?? unusable ?? (part.end.complete ? null : part.end.incomplete) };
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
    type,
    externalId: value,
    ...(display ? { displayName: display } : {}),
  };
}
