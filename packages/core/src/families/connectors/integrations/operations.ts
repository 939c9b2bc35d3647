import { ById, listOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { storeChange } from "../registry/change/change.js";
import { prepareChange } from "../registry/change/prepare.js";
import { CHANGE_ERRORS, DELETE_ERRORS, DeleteQuery, may } from "../registry/operations.js";
import { InstanceRequest } from "../registry/register-body.js";
import { removeInstance } from "../registry/remove-instance.js";

export const PATH = "/api/v1/integrations";
export const shared = { tag: "Integrations Workspace", path: PATH } as const;

export const listIntegrations = listOperation({
  ...shared,
  id: "integrations.list",
  summary: "List integrations, which are the connections to systems",
  access: may("read"),
  collection: instances,
  schema: ConnectorInstance,
  searched: "name or key of the connector",
});

export const patchIntegration = defineOperation({
  ...shared,
  id: "integrations.patch",
  stops: true,
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Change an integration, or its status",
  access: may("write"),
  params: ById,
  body: InstanceRequest,
  success: { status: 200, schema: ConnectorInstance },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { params, body }) => prepareChange(ctx, params.id, body, "merge"),
  handler: (ctx, _input, prepared) => storeChange(ctx, prepared),
});

export const deleteIntegration = defineOperation({
  ...shared,
  id: "integrations.delete",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete an integration with its credentials",
  access: may("delete"),
  params: ById,
  query: DeleteQuery,
  success: { status: 204 },
  errors: DELETE_ERRORS,
  async handler(ctx, { params, query }) {
    const { reason, mode } = query;
    await removeInstance(ctx, await ctx.getForUpdate(instances, params.id), { reason, mode });
    return undefined;
  },
});
