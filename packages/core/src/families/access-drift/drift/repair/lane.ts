import { type AccessLane, accessLanes, NEW_LANE, wakeLane } from "#families/access-grants/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { AccessDrift } from "../schema.js";
import { requireRevocable } from "./allowed.js";

/** Stores on a lane what was seen in the target, for connectors that cannot be asked for one grant. */
export async function markSeen(
  ctx: Context,
  { grantKey }: AccessDrift,
  targetState: AccessLane["targetState"],
): Promise<AccessLane | undefined> {
  const lane = (await ctx.db.lookup(accessLanes, "grant", { grantKey }))?.value;
  const shown = lane?.shown || targetState === "present";
  return lane && ctx.update(accessLanes, lane, { targetState, shown, observedAt: ctx.now });
}

/** Has the target take away what was ended here, or what nobody granted here. */
export async function revokeInTarget(ctx: Context, one: AccessDrift): Promise<void> {
  const { connectorInstanceId, resourceId, resource, profileExternalId, principal, parameters, grantKey } = one;
  await requireRevocable(ctx, one);
  const known = await markSeen(ctx, one, "present");
  if (known) {
    // It is there although nothing of it was granted, or its end was confirmed.
    await ctx.update(accessLanes, known, { preExisting: true });
    await wakeLane(ctx, grantKey, undefined);
    return;
  }
  if (resourceId === null)
    throw new ReeveError("transition_guard_failed", "No sync has found the resource: read the target first.");
  await ctx.insert(accessLanes, {
    ...{ connectorInstanceId, resource, profileExternalId, principal, parameters, grantKey, resourceId },
    ...NEW_LANE,
    ...{ assignmentId: null, wanted: "absent", targetState: "present", observedAt: ctx.now, preExisting: true },
    shown: true,
    dueAt: ctx.now,
  });
}
