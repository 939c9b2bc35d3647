import {
  type ConnectionTest,
  type DiscoveredAsset,
  type LastPage,
  type LeftOutPart,
  listingEnd,
  notWhole,
  type Page,
  type PageRequest,
  type RejectedItem,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { canonicalUrl, targetAt } from "../fields.js";
import { bearer, bodyOf, callApi, shaped } from "../json-api.js";
import { Parts } from "../parts.js";
import { settledEnd } from "../settled-end.js";
import { assetOf } from "./asset.js";
import { Listing, officialOf, serverOf } from "./entry.js";
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

/** Where a listing goes on: the registry's cursor, and the entries that were listed before it. */
const Cursor = z.object({ at: z.string(), read: z.int().min(0) });

/** The latest version of each server, in the order and the pages of the registry. */
export async function discoverServers(ctx: Registry, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const at = page.cursor === undefined ? undefined : parseCursor(Cursor, page.cursor);
  const asked = Math.min(page.limit, PAGE);
  const { body, headers, servers, next } = await listed(ctx, page, at?.at, asked);
  const items = new Map<string, DiscoveredAsset>();
  const rejected: RejectedItem[] = [];
  const warnings: LeftOutPart[] = [];
  for (const given of servers) {
    const parts = new Parts();
    const [server, official] = [serverOf(given, parts), officialOf(given, parts)];
    if (!server) {
      rejected.push(shapeless(given));
      continue;
    }
    if (official.isLatest === false || official.status === "deleted") continue;
    if (items.has(server.name)) rejected.push({ externalId: server.name, reason: "It is listed twice." });
    else {
      items.set(server.name, assetOf(server, official, locationOf(ctx, server.name)));
      warnings.push(...parts.of(server.name));
    }
  }
  const read = (at?.read ?? 0) + servers.length;
  const found = { items: [...items.values()], rejected, warnings };
  if (next !== undefined) return { ...found, nextCursor: JSON.stringify({ at: next, read }), complete: false };
  if (page.since !== undefined) return { ...found, ...notWhole("part") };
  const last: LastPage = {
    ...{ entries: servers.length, read, asked, body, headers, own: ["nextCursor"] },
    ...(at === undefined ? {} : { cursor: at.at }),
  };
  const again = async (limit: number) => {
    const { servers: some, next: more } = await listed(ctx, page, at?.at, limit);
    return { entries: some.length, goesOn: more !== undefined };
  };
  return { ...found, ...(await settledEnd(listingEnd(last), asked, again)) };
}

async function listed(ctx: Registry, { since }: PageRequest, cursor: string | undefined, limit: number) {
  const { baseUrl, apiVersion, search } = ctx.config;
  const query = {
    version: "latest",
    limit: String(limit),
    ...(cursor === undefined ? {} : { cursor }),
    ...(search === undefined ? {} : { search }),
    ...(since ? { updated_since: since.toISOString() } : {}),
  };
  const api = { baseUrl, headers: bearer(await ctx.secret("token")) };
  const what = "Listing the servers";
  const response = await callApi(ctx, api, { what, path: [apiVersion, "servers"], query });
  const { headers } = response;
  const body = await bodyOf(response, what, z.looseObject({}));
  const { servers, metadata } = shaped(body, what, Listing);
  return { body, headers, servers: servers ?? [], next: metadata?.nextCursor || undefined };
}

const locationOf = ({ config: { baseUrl, apiVersion } }: Registry, name: string) =>
  `${canonicalUrl(baseUrl)}/${apiVersion}/servers/${encodeURIComponent(name)}`;

function shapeless(given: unknown): RejectedItem {
  const name = (given as { server?: { name?: unknown } } | null)?.server?.name;
  const reason = "Its entry has not the published shape.";
  return typeof name === "string" ? { externalId: name.slice(0, 200), reason } : { reason };
}
