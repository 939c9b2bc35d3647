import { instanceHolders } from "#families/connectors/index.js";
import { extend } from "#kernel/config/extension.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { accessReconciliations } from "../../reconciliation/schema.js";
import { assignmentStatus } from "../machine.js";
import { isLive } from "../rules.js";
import { accessAssignments } from "../schema.js";
import { eachOf, endAll } from "./end.js";

const PAGE = 500;

/** A connection stays while access that it gave is not over. */
export const assignmentsHold = extend(instanceHolders, {
  what: "access assignments",
  async holding(ctx, instanceId) {
    const live = await ctx.db.count(accessAssignments, { where: { liveOf: instanceId } });
    const underWay = await ctx.db.count(accessReconciliations, { where: { underWayOf: instanceId } });
    return { live: live.count, underWay: underWay.count };
  },
  async end(ctx, { id }, mode, reason) {
    if (!ctx.principal.permissions.has("access-assignment:revoke"))
      throw new ReeveError("permission_denied", "Ending the access that it gave takes the right to revoke access.");
    if (mode === "revoke_first") return endAll(ctx, { liveOf: id }, { endReason: "connection_deleted", reason });
    await orphan(ctx, id, reason);
    await restReconciliations(ctx, id);
  },
});

/** Ends assignments that nobody asks the target about any more. What it has is not known from now on. */
async function orphan(ctx: Context, instanceId: string, reason: string): Promise<void> {
  const patch = {
    ...({ endReason: "connection_deleted", targetState: "unknown", residualAccess: "possible" } as const),
    ...{ endedBy: ctx.principal.userId, endingSince: ctx.now, endedAt: ctx.now, previousGrantKey: null },
  };
  await eachOf(ctx, { liveOf: instanceId }, async (one) => {
    if (!isLive(one)) return;
    const options = { triggeredBy: "system", reason, patch } as const;
    await ctx.transition(accessAssignments, assignmentStatus, one, { event: "orphan" }, options);
  });
}

/** Ends the work on the grants of a connection. What a process learns of them that works on one counts no more. */
async function restReconciliations(ctx: Context, underWayOf: string): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(accessReconciliations, { where: { underWayOf }, size: PAGE });
    for (const { value } of rows) {
      const rest = { phase: "idle", dueAt: null, externalOpRef: null, targetState: "unknown" } as const;
      await ctx.update(accessReconciliations, value, { ...rest, fence: value.fence + 1 });
    }
    if (rows.length < PAGE) return;
  }
}
