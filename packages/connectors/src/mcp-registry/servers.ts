import type { ConnectionTest, DiscoveredAsset, Page, PageRequest, RejectedItem } from "@reeve/core/connectors";
import { canonicalUrl, targetAt } from "../fields.js";
import { bearer, readApi } from "../json-api.js";
import { assetOf } from "./asset.js";
import { Entry, Listing, OFFICIAL } from "./entry.js";
import type { Registry } from "./manifest.js";

/** The most servers that the published interface gives in a page. */
const PAGE = 100;

/** Whether the registry lists servers. */
export async function testRegistry(ctx: Registry): Promise<ConnectionTest> {
  const { items, rejected = [] } = await discoverServers(ctx, { limit: 1 });
  const seen = items.length + rejected.length;
  return {
    checks: [
      {
        id: "servers",
        category: "capability",
        capability: "discover",
        status: items.length > 0 ? "pass" : "warn",
        message: messageOf(items.length, seen),
      },
    ],
    target: targetAt(ctx.config.baseUrl),
  };
}

function messageOf(usable: number, seen: number): string {
  if (usable > 0) return "The registry lists servers.";
  return seen > 0 ? "The registry's first server has not the published shape." : "The registry lists no servers.";
}

/** The latest version of each server, in the order and the pages of the registry. */
export async function discoverServers(ctx: Registry, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const { servers, metadata } = await listed(ctx, page);
  const items = new Map<string, DiscoveredAsset>();
  const rejected: RejectedItem[] = [];
  for (const given of servers ?? []) {
    const { data: entry } = Entry.safeParse(given);
    if (!entry) {
      rejected.push(shapeless(given));
      continue;
    }
    const { server, _meta } = entry;
    const official = _meta?.[OFFICIAL] ?? {};
    if (official.isLatest === false || official.status === "deleted") continue;
    if (items.has(server.name)) rejected.push({ externalId: server.name, reason: "It is listed twice." });
    else items.set(server.name, assetOf(server, official, locationOf(ctx, server.name)));
  }
  const nextCursor = metadata?.nextCursor || undefined;
  return {
    items: [...items.values()],
    ...(nextCursor === undefined ? { complete: page.since === undefined } : { nextCursor, complete: false }),
    rejected,
  };
}

async function listed(ctx: Registry, { cursor, limit, since }: PageRequest) {
  const { baseUrl, apiVersion, search } = ctx.config;
  const query = {
    version: "latest",
    limit: String(Math.min(limit, PAGE)),
    ...(cursor === undefined ? {} : { cursor }),
    ...(search === undefined ? {} : { search }),
    ...(since ? { updated_since: since.toISOString() } : {}),
  };
  const api = { baseUrl, headers: bearer(await ctx.secret("token")) };
  return readApi(ctx, api, { what: "Listing the servers", path: [apiVersion, "servers"], query }, Listing);
}

const locationOf = ({ config: { baseUrl, apiVersion } }: Registry, name: string) =>
  `${canonicalUrl(baseUrl)}/${apiVersion}/servers/${encodeURIComponent(name)}`;

function shapeless(given: unknown): RejectedItem {
  const name = (given as { server?: { name?: unknown } } | null)?.server?.name;
  const reason = "Its entry has not the published shape.";
  return typeof name === "string" ? { externalId: name.slice(0, 200), reason } : { reason };
}
