import { assets } from "#families/estate/index.js";
import { standsAsBefore, type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { accessRequestStatus } from "../machine.js";
import { accessRequests, askedApprovers, isUnstarted, openGrants } from "../schema.js";

/** Requests end with the asset that they are for. What was granted of them ends by itself. */
export const withdrawWithAsset = defineFollower(assets, async (ctx, { before, after }) => {
  const isOver = !after || (after.status === "retired" && before?.status !== "retired");
  if (!before || !isOver) return;
  const grants = await everyRow(ctx.db, openGrants, { where: { assetId: before.id } });
  for (const id of new Set(grants.map(({ value }) => value.requestId))) {
    const request = await ctx.getOrThrow(accessRequests, id);
    if (!isUnstarted(request)) continue;
    const reason = "The asset is retired.";
    const resolution = { by: "system", at: ctx.now, code: "asset_retired", reason } as const;
    const options = { triggeredBy: "system", reason, patch: { resolution, lookAgainAt: null } } as const;
    await ctx.transition(accessRequests, accessRequestStatus, request, { event: "withdraw" }, options);
  }
});

/** Has requests look for other people at once when one whom they ask has left, or lost a role. */
export const followApprovers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (before && !standsAsBefore(before, after)) await lookAgain(ctx, before.id);
});

async function lookAgain(ctx: Context, userId: string): Promise<void> {
  for (const { value } of await everyRow(ctx.db, askedApprovers, { where: { userId } })) {
    const row = await ctx.db.get(accessRequests, value.requestId);
    if (row?.value.status !== "pending_approval") continue;
    await ctx.update(accessRequests, row.value, { lookAgainAt: ctx.now }, { event: false, stamp: false });
  }
}
