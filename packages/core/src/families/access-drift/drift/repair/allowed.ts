import { type Blocker, blockersOf, PROVISION, whyUnmanaged } from "#families/access/index.js";
import { type AccessAssignment, type AccessReconciliation, holdingOf } from "#families/access-grants/index.js";
import { conflictsOfAssignment } from "#families/access-requests/index.js";
import { instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

const refused = (message: string) => new ReeveError("transition_guard_failed", message);

/**
 * Refuses to have a target grant again what could not be granted now: a repair is no way around a request. 409, or 503
 * while provisioning is switched off.
 */
export async function requireStillAllowed(ctx: Context, one: AccessAssignment): Promise<void> {
  if (!holdingOf(one)) throw refused(`The access is ${one.status}.`);
  const { accessProfileId, resourceId, approvedHash: definitionHash } = one;
  const items = [{ accessProfileId, resourceId, definitionHash }];
  const [blocker] = await blockersOf(ctx, { ...one, items }, "repair");
  if (blocker) throw errorOf(blocker);
  const conflicts = await conflictsOfAssignment(ctx, one);
  if (conflicts.length > 0) throw new ReeveError("sod_conflict", conflicts[0]?.text, { members: { conflicts } });
}

function errorOf({ code, message }: Blocker): ReeveError {
  if (code === "no_grant_capability") return new ReeveError("capability_missing", message);
  if (code !== "kill_switch") return refused(message);
  const members = { killSwitch: PROVISION };
  return new ReeveError("kill_switch_active", message, { members, headers: { "retry-after": "30" } });
}

/** 409 unless the target lets access be taken away through Reeve. */
export async function requireRevocable(
  ctx: ReadContext,
  {
    connectorInstanceId,
    resourceId,
  }: Pick<AccessReconciliation, "connectorInstanceId"> & { readonly resourceId: string | null },
): Promise<void> {
  const row = await ctx.db.get(instances, connectorInstanceId);
  const instance = row && ctx.derived(instances, row);
  if (!instance) throw refused("The target is gone.");
  if (instance.governanceMode !== "managed")
    throw refused("The target is under observation: access there is never changed.");
  const unmanaged = resourceId === null ? undefined : await whyUnmanaged(ctx, resourceId);
  if (unmanaged !== undefined) throw refused(unmanaged);
  if (!ctx.env.connectors.get(instance.providerKey)?.revoke)
    throw new ReeveError("capability_missing", "Its connector revokes nothing.");
}
