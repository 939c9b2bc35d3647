import {
  type DiscoveredAsset,
  notWhole,
  type ObservedResource,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import { attributesAsked, type FilterOptions, requireShown } from "../asked-attributes.js";
import { parseCursor } from "../cursor.js";
import { LinkPosition } from "../link-page.js";
import type { Parts } from "../parts.js";
import { type Members, sift } from "../sift.js";
import type { Organisation } from "./manifest.js";
import { apiOf, isChangeable, LONGEST_ID, listOf, readGroup, readUser } from "./organisation.js";

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
  return listed(ctx, page, { path: ["users"], query: { search }, read: identityOf });
}

function identityOf(id: string, user: Members, parts: Parts): DiscoveredAsset {
  const { status, login, displayName, userType } = readUser(id, user, parts);
  return {
    externalId: id,
    assetType: "identity",
    name: displayName ?? login ?? id,
    metadata: {
      ...(login ? { login } : {}),
      ...(status ? { status } : {}),
      ...(userType ? { userType } : {}),
    },
    found: [{ location: `users/${id}` }],
  };
}

export async function listGroups(ctx: Organisation, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") return { items: [], ...WHOLE };
  return listed(ctx, page, { path: ["groups"], query: {}, read: resourceOf });
}

function resourceOf(id: string, given: Members, parts: Parts): ObservedResource {
  const group = readGroup(id, given, parts);
  return {
    type: "group",
    externalId: id,
    name: group.name,
    attributes: { ...(group.type ? { groupType: group.type } : {}), changeable: isChangeable(group) },
  };
}

interface Listing<T> {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly read: (id: string, record: Members, parts: Parts) => T;
}

async function listed<T>(
  ctx: Organisation,
  { cursor, limit }: PageRequest,
  { path, query, read }: Listing<T>,
): Promise<Page<T>> {
  const at = cursor === undefined ? undefined : parseCursor(LinkPosition, cursor);
  const { items, next, end } = await listOf(ctx, await apiOf(ctx), path, { first: query, at, limit });
  return {
    ...sift(items, read, LONGEST_ID),
    ...(next === undefined ? end : { nextCursor: JSON.stringify(next), complete: false }),
  };
}
