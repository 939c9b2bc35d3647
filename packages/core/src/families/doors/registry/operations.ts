import { notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { EntryQuery, ListQuery, RegistryEntry, RegistryPage } from "./entries/fields.js";
import { isVersion, listEntries, readEntry } from "./entries/list-entries.js";
import { openRegistry } from "./keys/open-registry.js";

const SERVERS = "/v0.1/servers";
const shared = { tag: "MCP Registry", method: "GET", mount: "doors", extension: true, openQuery: true } as const;
const byToken = { ...shared, access: { permission: "mcp-server:read", capability: "ai_registry" } } as const;
const byKey = { ...shared, access: "public", errors: ["invalid_cursor", "too_many_attempts"] } as const;

const key = z.string().max(200).meta({ description: "The key of the registry, as it was issued." });
const name = z.string().max(200).meta({ description: "Its name in the registry, its slash encoded." });
const version = z.string().max(255).meta({ description: "Its version, or `latest`." });
const description =
  "The published interface v0.1 of MCP registries. It tells what is approved and intact at this moment, and holds no client to it.";

const page = { status: 200, schema: RegistryPage } as const;
const one = { status: 200, schema: RegistryEntry } as const;

async function listVersions(ctx: ReadContext, of: string, query: z.output<typeof EntryQuery>): Promise<RegistryPage> {
  const entry = await readEntry(ctx, of, query.include_deleted === "true");
  return { servers: [entry], metadata: { count: 1 } };
}

async function readVersion(
  ctx: ReadContext,
  of: { readonly name: string; readonly version: string },
  query: z.output<typeof EntryQuery>,
): Promise<RegistryEntry> {
  const entry = await readEntry(ctx, of.name, query.include_deleted === "true");
  if (!isVersion(entry, of.version)) throw notFound();
  return entry;
}

/** An answer that pages of any origin may read: the key in its address is all that it takes. */
const open = (answer: RegistryPage | RegistryEntry): Raw =>
  new Raw(JSON.stringify(answer), "application/json", {
    headers: { "cache-control": "no-store", "access-control-allow-origin": "*" },
  });

export const listServers = defineOperation({
  ...byToken,
  id: "registry.listServers",
  path: SERVERS,
  summary: "List the MCP servers that are approved now, as an MCP registry",
  description,
  query: ListQuery,
  success: page,
  errors: ["invalid_cursor"],
  handler: (ctx, { query }) => listEntries(ctx, query),
});

export const listServerVersions = defineOperation({
  ...byToken,
  id: "registry.listVersions",
  path: `${SERVERS}/{name}/versions`,
  summary: "List the versions of an MCP server, as an MCP registry",
  description: "There is one: the one that is approved.",
  slashes: true,
  params: z.object({ name }),
  query: EntryQuery,
  success: page,
  handler: (ctx, { params, query }) => listVersions(ctx, params.name, query),
});

export const readServerVersion = defineOperation({
  ...byToken,
  id: "registry.readVersion",
  path: `${SERVERS}/{name}/versions/{version}`,
  summary: "Read one version of an MCP server, as an MCP registry",
  slashes: true,
  params: z.object({ name, version }),
  query: EntryQuery,
  success: one,
  handler: (ctx, { params, query }) => readVersion(ctx, params, query),
});

export const listServersByKey = defineOperation({
  ...byKey,
  id: "registry.listServersByKey",
  path: `/registry/{key}${SERVERS}`,
  summary: "List the MCP servers that are approved now, to clients that send no token",
  description,
  params: z.object({ key }),
  query: ListQuery,
  success: page,
  handler: async (ctx, { params, query }) => open(await listEntries(await openRegistry(ctx, params.key), query)),
});

export const listServerVersionsByKey = defineOperation({
  ...byKey,
  id: "registry.listVersionsByKey",
  path: `/registry/{key}${SERVERS}/{name}/versions`,
  summary: "List the versions of an MCP server, to clients that send no token",
  slashes: true,
  params: z.object({ key, name }),
  query: EntryQuery,
  success: page,
  handler: async (ctx, { params, query }) =>
    open(await listVersions(await openRegistry(ctx, params.key), params.name, query)),
});

export const readServerVersionByKey = defineOperation({
  ...byKey,
  id: "registry.readVersionByKey",
  path: `/registry/{key}${SERVERS}/{name}/versions/{version}`,
  summary: "Read one version of an MCP server, to clients that send no token",
  slashes: true,
  params: z.object({ key, name, version }),
  query: EntryQuery,
  success: one,
  handler: async (ctx, { params, query }) =>
    open(await readVersion(await openRegistry(ctx, params.key), params, query)),
});
