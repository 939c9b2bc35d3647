import {
  type DiscoveredAsset,
  notWhole,
  type ObservedResource,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import { z } from "zod";
import { attributesAsked, type FilterOptions, requireShown } from "../asked-attributes.js";
import { Text } from "../fields.js";
import { listPage } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf, Group } from "./provider.js";

const User = z.object({
  id: Text(500),
  userName: Text(200),
  displayName: Text(200).nullish().catch(null),
  userType: Text(200).nullish().catch(null),
  active: z.boolean().nullish().catch(null),
});
type User = z.output<typeof User>;

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
  const listing = { path: "Users", query, shape: User, itemOf: identityOf } as const;
  return listPage(ctx, await apiOf(ctx), listing, page);
}

function identityOf({ id, userName, displayName, userType, active }: User): DiscoveredAsset {
  return {
    externalId: id,
    assetType: "identity",
    name: displayName ?? userName,
    metadata: { userName, ...(userType ? { userType } : {}), ...(active === false ? { active } : {}) },
    found: [{ location: `Users/${id}` }],
  };
}

export async function listGroups(ctx: Provider, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") return { items: [], ...WHOLE };
  const query = { attributes: "displayName,externalId" };
  return listPage(ctx, await apiOf(ctx), { path: "Groups", query, shape: Group, itemOf: resourceOf }, page);
}

function resourceOf({ id, displayName, externalId }: z.output<typeof Group>): ObservedResource {
  return {
    type: "group",
    externalId: id,
    name: displayName,
    ...(externalId ? { attributes: { externalId } } : {}),
  };
}
