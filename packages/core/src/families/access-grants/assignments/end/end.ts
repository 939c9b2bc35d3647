import { accessResources } from "#families/access/index.js";
import { assets } from "#families/estate/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { assignmentStatus } from "../machine.js";
import { holdingOf } from "../rules.js";
import { type AccessAssignment, accessAssignments } from "../schema.js";

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

/** Ends every assignment of an asset, of a resource or of a target that is not over. */
export async function endAll(ctx: Context, where: Readonly<Record<string, string>>, end: Omit<End, "triggeredBy">) {
  await eachOf(ctx, where, async (one) => {
    if (holdingOf(one)) await endAssignment(ctx, one, { ...end, triggeredBy: "system" });
  });
}

/** Does something with each of some assignments, page by page. */
export async function eachOf(
  ctx: Context,
  where: Readonly<Record<string, string>>,
  work: (one: AccessAssignment) => Promise<unknown>,
): Promise<void> {
  for await (const rows of everyPage(ctx.db, accessAssignments, { where }))
    for (const row of rows) await work(await ctx.current(accessAssignments, row));
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
