import {
  type DiscoveredAsset,
  notWhole,
  type ObservedResource,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import { attributesAsked, type FilterOptions, requireShown } from "../asked-attributes.js";
import { Text, Visible } from "../fields.js";
import type { Parts } from "../parts.js";
import { Flag, type Members } from "../sift.js";
import { listPage } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf } from "./provider.js";

/** What listings of users and of members of groups show. */
const SHOWN = ["id", "userName", "displayName", "userType", "active", "groups", "groups.value", "groups.display"];

/** Refuses a filter of a connection that asks what a listing does not show. */
export function requireShownFilter(filter: string, { filterAttributes = [] }: FilterOptions): void {
  requireShown("identityFilter", attributesAsked("identityFilter", filter), [...SHOWN, ...filterAttributes]);
}

/** The users that `identityFilter` names. Without one nothing is found, and nothing concluded from that. */
export async function discoverIdentities(
  ctx: Provider,
  page: PageRequest,
  options: FilterOptions = {},
): Promise<Page<DiscoveredAsset>> {
  const { identityFilter: filter } = ctx.config;
  if (filter === undefined) return { items: [], ...notWhole("part") };
  requireShownFilter(filter, options);
  const query = { filter, attributes: "userName,displayName,userType,active" };
  return listPage(ctx, await apiOf(ctx), { path: "Users", query, read: identityOf }, page);
}

function identityOf(id: string, user: Members, parts: Parts): DiscoveredAsset {
  const userName = parts.expect(user.userName, "userName", Visible(200));
  const displayName = parts.read(user.displayName, "displayName", Visible(200));
  const userType = parts.read(user.userType, "userType", Text(200));
  const active = parts.read(user.active, "active", Flag);
  return {
    externalId: id,
    assetType: "identity",
    name: displayName ?? userName ?? id.slice(0, 200),
    metadata: {
      ...(userName ? { userName } : {}),
      ...(userType ? { userType } : {}),
      ...(active === false ? { active } : {}),
    },
    found: [{ location: `Users/${id}` }],
  };
}

export async function listGroups(ctx: Provider, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") return { items: [], ...WHOLE };
  const query = { attributes: "displayName,externalId" };
  return listPage(ctx, await apiOf(ctx), { path: "Groups", query, read: resourceOf }, page);
}

function resourceOf(id: string, group: Members, parts: Parts): ObservedResource {
  const displayName = parts.expect(group.displayName, "displayName", Visible(500));
  const externalId = parts.read(group.externalId, "externalId", Text(500));
  return {
    type: "group",
    externalId: id,
    name: displayName ?? id,
    ...(externalId ? { attributes: { externalId } } : {}),
  };
}
