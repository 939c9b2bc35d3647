import { CAPABILITIES, type Capability } from "#connectors/index.js";
import { Event, filteredEvents } from "#families/activity/index.js";
import { Asset } from "#families/estate/index.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { runDiagnostics } from "../diagnostics/operations.js";
import { importNew, previewImport } from "../imports/operations.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { assetsOf } from "./catalog-assets.js";
import { replacedBy } from "./rules.js";

const PATH = "/api/v1/catalog/instances/{id}";
const NEW = "/api/v1/integrations/{id}";
const tag = "Legacy Catalog";
const reading = {
  method: "GET",
  tag,
  access: { permission: "connector:read", capability: "connectors" },
  params: ById,
} as const;

export const discoverCatalogInstance = defineOperation({
  ...previewImport,
  access: { permission: "connector-import:write", capability: "connectors" },
  id: "catalog.discover",
  path: `${PATH}/discover`,
  tag,
  summary: "Plan an import from a connected system (older path)",
  ...replacedBy(`${NEW}/imports`),
});

export const importCatalogInstance = defineOperation({
  ...importNew,
  access: { permission: "connector-import:confirm", capability: "connectors" },
  id: "catalog.import",
  path: `${PATH}/import`,
  tag,
  summary: "Import everything that is new from a connected system (older path)",
  ...replacedBy(`${NEW}/import`),
});

export const testCatalogInstance = defineOperation({
  ...runDiagnostics,
  access: { permission: "connector:write", capability: "connectors" },
  id: "catalog.testConnection",
  path: `${PATH}/test-connection`,
  tag,
  summary: "Test a connection now (older path)",
  ...replacedBy(`${NEW}/diagnostics/run`),
});

export const readCatalogHealth = defineOperation({
  ...reading,
  id: "catalog.health",
  path: `${PATH}/health`,
  summary: "Read the health of a connection (older path)",
  success: {
    status: 200,
    schema: z
      .object({
        health: ConnectorInstance.shape.health,
        healthSince: ConnectorInstance.shape.healthSince,
        healthReason: ConnectorInstance.shape.healthReason,
        lastCheckAt: Time.nullable().meta({ description: "When it was last tested." }),
      })
      .meta({ id: "CatalogHealth" }),
  },
  ...replacedBy("/api/v1/connector-instances/{id}"),
  async handler(ctx, { params }) {
    const { health, healthSince, healthReason, lastCheckAt } = await ctx.getOrThrow(instances, params.id);
    return { health, healthSince, healthReason, lastCheckAt };
  },
});

const CapabilityView = z
  .object({
    capability: z
      .enum(Object.keys(CAPABILITIES) as [Capability, ...Capability[]])
      .meta({ description: "The name of the capability." }),
    meaning: z.string().meta({ description: "What it does." }),
  })
  .meta({ id: "CatalogCapability" });

export const listCatalogCapabilities = defineOperation({
  ...reading,
  id: "catalog.capabilities",
  path: `${PATH}/capabilities`,
  summary: "List what the connector of a connection can do (older path)",
  success: {
    status: 200,
    schema: z
      .object({ items: z.array(CapabilityView).meta({ description: "All of them." }) })
      .meta({ id: "CatalogCapabilities" }),
  },
  ...replacedBy("/api/v1/connectors"),
  async handler(ctx, { params }) {
    const { providerKey } = await ctx.getOrThrow(instances, params.id);
    const capabilities = ctx.env.connectors.get(providerKey)?.manifest.capabilities ?? [];
    return { items: capabilities.map((capability) => ({ capability, meaning: CAPABILITIES[capability].meaning })) };
  },
});

export const listCatalogAudit = defineOperation({
  ...reading,
  id: "catalog.audit",
  path: `${PATH}/audit`,
  summary: "List what has happened to a connection, newest first (older path)",
  query: PageQuery,
  success: { status: 200, schema: pageOf(Event) },
  ...replacedBy(`${NEW}/activity`),
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.id);
    return filteredEvents(ctx, query, id);
  },
});

export const listCatalogAssets = defineOperation({
  ...reading,
  id: "catalog.assets",
  path: `${PATH}/assets`,
  summary: "List the assets that a connection has brought (older path)",
  query: PageQuery,
  success: { status: 200, schema: pageOf(Asset) },
  ...replacedBy("/api/v1/ai-assets"),
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.id);
    return assetsOf(ctx, id, query);
  },
});
