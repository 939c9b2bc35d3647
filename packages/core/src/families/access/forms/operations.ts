import { z } from "zod";
import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import type { ListFilter } from "#store/collection.js";
import { AccessTarget } from "../targets/schema.js";
import { reading, tag } from "../targets/view/path.js";
import { targetKeys, targetView } from "../targets/view/view.js";
import { requestSchemaOf } from "./schema-of/schema-of.js";

const PATH = "/api/v1/access-connectors";
const filters = { environment: instances.filters.environment } as Record<string, ListFilter>;

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
  path: PATH,
  summary: "List the connected systems that take requests for access, and why not where they do not",
  query: listQuery({ ...instances, filters }, "name"),
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

export const readRequestSchema = defineOperation({
  ...reading,
  tag,
  id: "accessConnectors.readRequestSchema",
  path: `${PATH}/{catalogItemId}/request-schema`,
  summary: "Read the JSON Schema of a request for access to a connected system",
  params: z.object({
    catalogItemId: z.string().meta({
      description: "The connected system: `catalogItemId` of the list.",
      example: "ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
    }),
  }),
  success: { status: 200, schema: AnyObject.meta({ id: "AccessRequestSchema", description: "A JSON Schema." }) },
  handler: async (ctx, { params }) => requestSchemaOf(ctx, await ctx.getOrThrow(instances, params.catalogItemId)),
});
