import { listQuery } from "../../../kernel/operation/list-query.js";
import { defineOperation } from "../../../kernel/operation/operation.js";
import { pageOf } from "../../../kernel/operation/page.js";
import { instances } from "../../connectors/index.js";
import { OfTarget, reading, tag } from "../targets/view/path.js";
import { AccessResource, accessResources } from "./schema.js";

export const listResources = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.listResources",
  path: "/api/v1/access-targets/{connectorInstanceId}/resources",
  summary: "List what access to a target can be granted to",
  params: OfTarget,
  query: listQuery(accessResources, "name or id in the target"),
  success: { status: 200, schema: pageOf(AccessResource) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return ctx.page(accessResources, query, { where: { connectorInstanceId: id } });
  },
});
