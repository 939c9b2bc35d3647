import {
  AccessTarget,
  AvailableAccessTarget,
  OfAsset,
  OfTarget,
  reading,
  tag,
  targetKeys,
} from "#families/access/index.js";
import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import type { ListFilter } from "#store/collection.js";
import { availableTargets } from "./available-targets.js";
import { targetView } from "./view-target.js";

const { health, environment, governanceMode } = instances.filters as Record<string, ListFilter>;
const filters = { health, environment, governanceMode } as Record<string, ListFilter>;

export const listTargets = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.list",
  path: "/api/v1/access-targets",
  summary: "List the connected systems that access can be granted in",
  query: listQuery({ ...instances, filters }, "name"),
  success: { status: 200, schema: pageOf(AccessTarget) },
  async handler(ctx, { query }) {
    const keys = targetKeys(ctx);
    const where = { providerKey: keys.length > 0 ? keys : [""] };
    return ctx.page<ConnectorInstance>(instances, query, { where }, await targetView(ctx));
  },
});

export const readTarget = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.read",
  path: "/api/v1/access-targets/{connectorInstanceId}",
  summary: "Read one connected system that access can be granted in",
  extension: true,
  params: OfTarget,
  success: { status: 200, schema: AccessTarget },
  async handler(ctx, { params }) {
    const instance = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return (await targetView(ctx))(instance);
  },
});

export const listAvailableTargets = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.listAvailable",
  path: "/api/v1/ai-assets/{assetId}/available-access-targets",
  summary: "List where an AI asset could get access, and why not where it could not",
  params: OfAsset,
  query: PageQuery,
  success: { status: 200, schema: pageOf(AvailableAccessTarget) },
  async handler(ctx, { params, query }) {
    return ctx.slice(`targets of ${params.assetId}`, await availableTargets(ctx, params.assetId), query);
  },
});

const AccessConnector = AccessTarget.extend({
  catalogItemId: z.string().meta({ description: "What requests name: id of the connection." }),
}).meta({ id: "AccessConnector" });

/** Keys of the connectors that grant access. */
const grantingKeys = (ctx: Parameters<typeof targetKeys>[0]): string[] =>
  targetKeys(ctx).filter((key) => ctx.env.connectors.get(key)?.manifest.capabilities.includes("grant"));

export const listAccessConnectors = defineOperation({
  ...reading,
  tag,
  id: "accessConnectors.list",
  path: "/api/v1/access-connectors",
  summary: "List the connected systems that take requests for access, and why not where they do not",
  query: listQuery({ ...instances, filters: { environment } as typeof filters }, "name"),
  success: { status: 200, schema: pageOf(AccessConnector) },
  async handler(ctx, { query }) {
    const keys = grantingKeys(ctx);
    const view = await targetView(ctx);
    const where = { providerKey: keys.length > 0 ? keys : [""], status: "active" };
    return ctx.page<ConnectorInstance>(instances, query, { where }, async (instance) => {
      return { ...(await view(instance)), catalogItemId: instance.id };
    });
  },
});
