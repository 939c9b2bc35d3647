import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { REMOVAL_MODES } from "../instances/remove-holders.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { storeChange } from "./change/change.js";
import { prepareChange } from "./change/prepare.js";
import { createInstance, prepareInstance } from "./create-instance.js";
import { InstanceRequest } from "./register-body.js";
import { removeInstance } from "./remove-instance.js";

const PATH = "/api/v1/connector-instances";
const shared = { tag: "Connector Instances", path: PATH } as const;
export const CHANGE_ERRORS = [
  "already_exists",
  "concurrent_modification",
  "connection_test_failed",
  "invalid_reference",
  "invalid_transition",
  "kill_switch_active",
  "missing_reason",
  "not_configured",
  "overloaded",
  "read_only_property",
  "secret_unavailable",
  "self_appointment_forbidden",
  "target_identity_changed",
  "transition_guard_failed",
] as const;
export const may = (verb: "read" | "write" | "delete") =>
  ({ permission: `connector:${verb}`, capability: "connectors" }) as const;

export const listInstances = listOperation({
  ...shared,
  id: "connectorInstances.list",
  summary: "List connections to systems",
  access: may("read"),
  collection: instances,
  schema: ConnectorInstance,
  searched: "name or key of the connector",
});

export const createInstanceRequest = defineOperation({
  ...shared,
  id: "connectorInstances.create",
  method: "POST",
  summary: "Set up a connection to a system",
  description:
    "It begins as a draft; with the status `active` it is tested and called at once. Secrets stand in `secrets`, or in `configuration` under the names of the connector's; they are sealed and never shown.",
  access: may("write"),
  body: InstanceRequest,
  success: { status: 201, schema: ConnectorInstance },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { body }) => prepareInstance(ctx, body),
  handler: (ctx, _input, given) => createInstance(ctx, given),
});

export const readInstance = readOperation({
  ...shared,
  id: "connectorInstances.read",
  summary: "Read one connection to a system",
  access: may("read"),
  collection: instances,
  schema: ConnectorInstance,
});

export const patchInstance = defineOperation({
  ...shared,
  id: "connectorInstances.patch",
  stops: true,
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Change a connection to a system, or its status",
  description:
    "`configuration` is merged. An active connection is tested with its new settings first, and a draft or disabled one before it becomes active.",
  access: may("write"),
  params: ById,
  body: InstanceRequest,
  success: { status: 200, schema: ConnectorInstance },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { params, body }) => prepareChange(ctx, params.id, body, "merge"),
  handler: (ctx, _input, prepared) => storeChange(ctx, prepared),
});

export const DeleteQuery = z.strictObject({
  reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  mode: z.enum(REMOVAL_MODES).optional().meta({
    description:
      "What becomes of access that it gave, with a `reason`. `revoke_first`: it is revoked, and waited for. `orphan`: it is left in the system, and recorded as such.",
  }),
});
export const DELETE_ERRORS = ["has_active_assignments", "invalid_transition", "missing_reason"] as const;

export const deleteInstance = defineOperation({
  ...shared,
  id: "connectorInstances.delete",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete a connection to a system with its credentials",
  description:
    "Refused while access that it gave is in force, unless `mode` says what becomes of that. What is under way is waited for, as `deleting`.",
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
