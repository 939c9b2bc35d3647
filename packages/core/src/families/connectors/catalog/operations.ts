import { ById, listOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { storeChange } from "../registry/change/change.js";
import { prepareChange } from "../registry/change/prepare.js";
import { createInstance, prepareInstance } from "../registry/create-instance.js";
import { CHANGE_ERRORS, DELETE_ERRORS, DeleteQuery, may } from "../registry/operations.js";
import { InstanceRequest } from "../registry/register-body.js";
import { removeInstance } from "../registry/remove-instance.js";
import { replacedBy } from "./rules.js";

const PATH = "/api/v1/catalog/instances";
const tag = "Legacy Catalog";
const NEW = "/api/v1/connector-instances";

export const listCatalogInstances = listOperation({
  id: "catalog.listInstances",
  tag,
  path: PATH,
  summary: "List connections to systems (older path)",
  access: may("read"),
  collection: instances,
  schema: ConnectorInstance,
  searched: "name or key of the connector",
  ...replacedBy(NEW),
});

export const createCatalogInstance = defineOperation({
  id: "catalog.createInstance",
  method: "POST",
  path: PATH,
  tag,
  summary: "Set up a connection to a system (older path)",
  access: may("write"),
  body: InstanceRequest,
  success: { status: 201, schema: ConnectorInstance },
  errors: CHANGE_ERRORS,
  ...replacedBy(NEW),
  prepare: (ctx, { body }) => prepareInstance(ctx, body),
  handler: (ctx, _input, given) => createInstance(ctx, given),
});

export const readCatalogInstance = defineOperation({
  id: "catalog.readInstance",
  method: "GET",
  path: `${PATH}/{id}`,
  tag,
  summary: "Read one connection to a system (older path)",
  access: may("read"),
  params: ById,
  success: { status: 200, schema: ConnectorInstance },
  ...replacedBy(`${NEW}/{id}`),
  handler: (ctx, { params }) => ctx.getStored(instances, params.id),
});

export const replaceCatalogInstance = defineOperation({
  id: "catalog.replaceInstance",
  stops: true,
  method: "PUT",
  path: `${PATH}/{id}`,
  tag,
  summary: "Change a connection to a system (older path)",
  description: "`configuration` is replaced as a whole.",
  access: may("write"),
  params: ById,
  body: InstanceRequest,
  success: { status: 200, schema: ConnectorInstance },
  errors: CHANGE_ERRORS,
  ...replacedBy(`${NEW}/{id}`),
  prepare: (ctx, { params, body }) => prepareChange(ctx, params.id, body, "replace"),
  handler: (ctx, _input, prepared) => storeChange(ctx, prepared),
});

export const deleteCatalogInstance = defineOperation({
  id: "catalog.deleteInstance",
  method: "DELETE",
  path: `${PATH}/{id}`,
  tag,
  summary: "Delete a connection to a system (older path)",
  access: may("delete"),
  params: ById,
  query: DeleteQuery,
  success: { status: 204 },
  errors: DELETE_ERRORS,
  ...replacedBy(`${NEW}/{id}`),
  async handler(ctx, { params, query }) {
    const { reason, mode } = query;
    await removeInstance(ctx, await ctx.getForUpdate(instances, params.id), { reason, mode });
    return undefined;
  },
});
