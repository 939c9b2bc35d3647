import { publishedManifest } from "#connectors/publish.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf, pageQuery } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { connectorNamed, definitionsOf } from "./queries.js";
import { ByProviderKey, ConnectorCategory, ConnectorDefinition, ConnectorManifest, ConnectorStatus } from "./schema.js";

const PATH = "/api/v1/connectors";
const shared = {
  method: "GET",
  tag: "Connector Catalog",
  access: { permission: "connector:read", capability: "connectors" },
} as const;
const query = z.strictObject(pageQuery);

export const listConnectors = defineOperation({
  ...shared,
  id: "connectors.list",
  path: PATH,
  summary: "List the connectors that the service has",
  query,
  success: { status: 200, schema: pageOf(ConnectorDefinition) },
  handler: async (ctx, { query: asked }) => ctx.slice("connectors", await definitionsOf(ctx), asked),
});

export const listEnabledConnectors = defineOperation({
  ...shared,
  id: "connectors.listEnabled",
  path: `${PATH}/enabled`,
  summary: "List the connectors that the tenant lets be used",
  query,
  success: { status: 200, schema: pageOf(ConnectorDefinition) },
  async handler(ctx, { query: asked }) {
    const enabled = (await definitionsOf(ctx)).filter((one) => one.enabled);
    return ctx.slice("connectors enabled", enabled, asked);
  },
});

export const listConnectorStatuses = defineOperation({
  ...shared,
  id: "connectors.listStatuses",
  path: `${PATH}/statuses`,
  summary: "List how the connections of each connector fare",
  query,
  success: { status: 200, schema: pageOf(ConnectorStatus) },
  async handler(ctx, { query: asked }) {
    const statuses = (await definitionsOf(ctx)).map(({ providerKey, enabled, instances, worstHealth }) => ({
      providerKey,
      enabled,
      instances,
      worstHealth,
    }));
    return ctx.slice("connector statuses", statuses, asked);
  },
});

export const listConnectorCategories = defineOperation({
  ...shared,
  id: "connectors.listCategories",
  path: `${PATH}/categories`,
  summary: "List the kinds of systems that there are connectors for",
  query,
  success: { status: 200, schema: pageOf(ConnectorCategory) },
  async handler(ctx, { query: asked }) {
    const all = [...ctx.env.connectors.values()].map(({ manifest }) => manifest.category);
    const categories = [...new Set(all)].sort();
    const counted = categories.map((category) => ({
      category,
      connectors: all.filter((one) => one === category).length,
    }));
    return ctx.slice("connector categories", counted, asked);
  },
});

export const readConnector = defineOperation({
  ...shared,
  id: "connectors.read",
  path: `${PATH}/{providerKey}`,
  summary: "Read one connector",
  params: ByProviderKey,
  success: { status: 200, schema: ConnectorDefinition },
  async handler(ctx, { params }) {
    const { manifest } = connectorNamed(ctx, params.providerKey);
    const found = (await definitionsOf(ctx)).find(({ providerKey }) => providerKey === manifest.providerKey);
    return found as ConnectorDefinition;
  },
});

export const readConnectorManifest = defineOperation({
  ...shared,
  id: "connectors.readManifest",
  path: `${PATH}/{providerKey}/manifest`,
  summary: "Read what a connector says about itself, and how it is configured",
  params: ByProviderKey,
  success: { status: 200, schema: ConnectorManifest },
  async handler(ctx, { params }) {
    const { secretPaths, ...manifest } = publishedManifest(connectorNamed(ctx, params.providerKey));
    return { ...manifest, configurationSchema: { ...manifest.configurationSchema }, secretPaths: [...secretPaths] };
  },
});
