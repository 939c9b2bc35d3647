import { instances } from "#families/connectors/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { reading, tag } from "../targets/fields.js";
import { requestSchemaOf } from "./form-schema.js";

export const readRequestSchema = defineOperation({
  ...reading,
  tag,
  id: "accessConnectors.readRequestSchema",
  path: "/api/v1/access-connectors/{catalogItemId}/request-schema",
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
