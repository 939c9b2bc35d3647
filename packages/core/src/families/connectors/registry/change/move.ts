import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import { instanceStatus } from "../../instances/machine.js";
import { type ConnectorInstance, instances } from "../../instances/schema.js";
import type { InstanceBody } from "../register-body.js";

/** Moves an instance to the status in a body. */
export async function move(
  ctx: Context,
  instance: ConnectorInstance,
  { status, reason, fields }: InstanceBody,
): Promise<ConnectorInstance> {
  if (status === undefined || status === instance.status) return instance;
  const maintenance =
    status === "maintenance" ? { until: fields.maintenance?.until ?? null, reason: reason ?? null } : null;
  return ctx.transition(instances, instanceStatus, instance, { to: status }, { reason, patch: { maintenance } });
}

/** The maintenance that a body without a move leaves. 400 for one that is not under way, or would be over. */
export function maintenanceAfter(
  ctx: Context,
  before: ConnectorInstance,
  { status = before.status, fields }: InstanceBody,
): Pick<Partial<ConnectorInstance>, "maintenance"> {
  const { maintenance } = fields;
  const unchanged = isSame(maintenance, before.maintenance);
  if (maintenance === undefined || unchanged || status !== before.status) return {};
  if (!maintenance || before.status !== "maintenance")
    throw invalidProperty("/maintenance", "It goes with the status `maintenance`.");
  if (maintenance.until !== null && maintenance.until <= ctx.now)
    throw invalidProperty("/maintenance/until", "It lies in the past.");
  return { maintenance: { ...maintenance, reason: before.maintenance?.reason ?? null } };
}
