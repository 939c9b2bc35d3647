import {
  type DiscoveredAsset,
  notWhole,
  type ObservedResource,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import type { z } from "zod";
import { attributesAsked, type FilterOptions, requireShown } from "../asked-attributes.js";
import { parseCursor } from "../cursor.js";
import { LinkPosition } from "../link-page.js";
import { sift, UNNAMED } from "../sift.js";
import type { Organisation } from "./manifest.js";
import { apiOf, Group, isChangeable, listOf, User } from "./organisation.js";

/** What a listing of users shows. */
const SHOWN = ["id", "status", "profile.login", "profile.displayName", "profile.userType"];

/** Refuses a search of a connection that asks what a listing does not show. */
export function requireShownSearch(search: string, { filterAttributes = [] }: FilterOptions): void {
  requireShown("identitySearch", attributesAsked("identitySearch", search), [...SHOWN, ...filterAttributes]);
}

/** The users that `identitySearch` names. Without one nothing is found, and nothing concluded from that. */
export async function discoverIdentities(
  ctx: Organisation,
  page: PageRequest,
  options: FilterOptions = {},
): Promise<Page<DiscoveredAsset>> {
  const { identitySearch: search } = ctx.config;
  if (search === undefined) return { items: [], ...notWhole("part") };
  requireShownSearch(search, options);
  return listed(ctx, page, { path: ["users"], query: { search }, shape: User, itemOf: identityOf });
}

function identityOf({ id, status, profile: { login, displayName, userType } }: User): DiscoveredAsset {
  return {
    externalId: id,
    assetType: "identity",
    name: displayName ?? login,
    metadata: { login, ...(status ? { status } : {}), ...(userType ? { userType } : {}) },
    found: [{ location: `users/${id}` }],
  };
}

export async function listGroups(ctx: Organisation, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") return { items: [], ...WHOLE };
  return listed(ctx, page, { path: ["groups"], query: {}, shape: Group, itemOf: resourceOf });
}

function resourceOf(group: Group): ObservedResource {
  return {
    type: "group",
    externalId: group.id,
    name: group.profile.name,
    attributes: { groupType: group.type, changeable: isChangeable(group) },
  };
}

interface Listing<T, U> {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly shape: z.ZodType<T>;
  readonly itemOf: (value: T) => U;
}

async function listed<T, U>(
  ctx: Organisation,
  { cursor, limit }: PageRequest,
  { path, query, shape, itemOf }: Listing<T, U>,
): Promise<Page<U>> {
  const at = cursor === undefined ? undefined : parseCursor(LinkPosition, cursor);
  const { items, next, end } = await listOf(ctx, await apiOf(ctx), path, { first: query, at, limit });
  const read = sift(items, shape, UNNAMED);
  return {
    items: read.items.map(itemOf),
    rejected: read.rejected,
    ...(next === undefined ? end : { nextCursor: JSON.stringify(next), complete: false }),
  };
}
