import {
  type AccessReconciliation,
  accessReconciliations,
  NEW_RECONCILIATION,
  wakeReconciliation,
} from "#families/access-grants/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { AccessDrift } from "../schema.js";
import { requireRevocable } from "./allowed.js";

/** Stores on a reconciliation what was seen in the target, for connectors that cannot be asked for one grant. */
export async function markSeen(
  ctx: Context,
  { grantKey }: AccessDrift,
  targetState: AccessReconciliation["targetState"],
): Promise<AccessReconciliation | undefined> {
  const reconciliation = (await ctx.db.lookup(accessReconciliations, "grant", { grantKey }))?.value;
  const shown = reconciliation?.shown || targetState === "present";
  return (
    reconciliation && ctx.update(accessReconciliations, reconciliation, { targetState, shown, observedAt: ctx.now })
  );
}

/** Has the target take away what was ended here, or what nobody granted here. */
export async function revokeInTarget(ctx: Context, one: AccessDrift): Promise<void> {
  const { connectorInstanceId, resourceId, resource, profileExternalId, principal, parameters, grantKey } = one;
  await requireRevocable(ctx, one);
  const known = await markSeen(ctx, one, "present");
  if (known) {
    // It is there although nothing of it was granted, or its end was confirmed.
    await ctx.update(accessReconciliations, known, { preExisting: true });
    await wakeReconciliation(ctx, grantKey, undefined);
    return;
  }
  if (resourceId === null)
    throw new ReeveError("transition_guard_failed", "No sync has found the resource: read the target first.");
  await ctx.insert(accessReconciliations, {
    ...{ connectorInstanceId, resource, profileExternalId, principal, parameters, grantKey, resourceId },
    ...NEW_RECONCILIATION,
    ...{ assignmentId: null, wanted: "absent", targetState: "present", observedAt: ctx.now, preExisting: true },
    shown: true,
    dueAt: ctx.now,
  });
}
