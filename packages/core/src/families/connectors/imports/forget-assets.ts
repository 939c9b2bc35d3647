import type { Context } from "#kernel/operation/context.js";
import { importStatus } from "./machine.js";
import { connectorAssets, connectorImports } from "./schema.js";

/** Links that one transaction drops. Other writes of the tenant wait while it lasts. */
const BATCH = 500;

/** Drops some links between assets and an instance that is deleted. Returns whether these were the last. */
export async function dropLinks(ctx: Context, connectorInstanceId: string): Promise<boolean> {
  const { rows, next } = await ctx.db.find(connectorAssets, { where: { connectorInstanceId }, size: BATCH });
  for (const { value } of rows) await ctx.remove(connectorAssets, value, { event: false });
  return next === undefined;
}

/** Ends the plans of an instance that wait for a confirmation. */
export async function endWaiting(
  ctx: Context,
  waitingFor: string,
  { event, reason }: { readonly event: "cancel" | "supersede"; readonly reason: string },
): Promise<void> {
  const { rows } = await ctx.db.find(connectorImports, { where: { waitingFor }, size: 10 });
  for (const row of rows) {
    const job = await ctx.current(connectorImports, row);
    if (job.status !== "awaiting_confirmation") continue;
    const options = { triggeredBy: "system", reason, patch: { endedAt: ctx.now } } as const;
    await ctx.transition(connectorImports, importStatus, job, { event }, options);
  }
}
