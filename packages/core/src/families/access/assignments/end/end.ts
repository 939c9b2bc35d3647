import { extend } from "../../../../kernel/config/extension.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { instanceHolders } from "../../../connectors/index.js";
import { assets } from "../../../estate/index.js";
import { accessLanes } from "../../lanes/schema.js";
import { accessResources } from "../../resources/schema.js";
import { assignmentStatus } from "../machine.js";
import { holdingOf } from "../rules.js";
import { type AccessAssignment, accessAssignments } from "../schema.js";

const PAGE = 500;

interface End {
  readonly endReason: NonNullable<AccessAssignment["endReason"]>;
  readonly reason: string | undefined;
  readonly triggeredBy: "user" | "system";
}

/** Ends an assignment. It is not in force from now on, and over once the target has confirmed that. */
export function endAssignment(ctx: Context, one: AccessAssignment, { endReason, reason, triggeredBy }: End) {
  const patch = { endReason, endedBy: ctx.principal.userId, endingSince: ctx.now };
  const options = { reason, triggeredBy, patch };
  return ctx.transition(accessAssignments, assignmentStatus, one, { event: "revoke" }, options);
}

/** Ends every assignment of an asset, or of a resource, that is not over. */
async function endAll(ctx: Context, where: Readonly<Record<string, string>>, end: Omit<End, "triggeredBy">) {
  let after: { readonly by: string | number | null; readonly id: string } | undefined;
  do {
    const found = await ctx.db.find(accessAssignments, { where, size: PAGE, ...(after ? { after } : {}) });
    for (const row of found.rows) {
      const one = await ctx.current(accessAssignments, row);
      if (holdingOf(one)) await endAssignment(ctx, one, { ...end, triggeredBy: "system" });
    }
    after = found.next;
  } while (after);
}

/** Access ends with the asset that has it. */
export const endWithAsset = defineFollower(assets, async (ctx, { before, after }) => {
  const isOver = !after || (after.status === "retired" && before?.status !== "retired");
  if (!before || !isOver) return;
  await endAll(ctx, { liveFor: before.id }, { endReason: "asset_retired", reason: "The asset is retired." });
});

/** Access ends with what it is access to. */
export const endWithResource = defineFollower(accessResources, async (ctx, { before, after }) => {
  if (after?.status !== "retired" || before?.status === "retired") return;
  await endAll(ctx, { liveOn: after.id }, { endReason: "resource_deleted", reason: "The target has it no more." });
});

/** A connection stays while access that it gave is not over. */
export const assignmentsHold = extend(instanceHolders, {
  what: "access assignments",
  async holding(ctx, instanceId) {
    const live = await ctx.db.count(accessAssignments, { where: { liveOf: instanceId } });
    const underWay = await ctx.db.count(accessLanes, { where: { underWayOf: instanceId } });
    return { live: live.count, underWay: underWay.count };
  },
});
