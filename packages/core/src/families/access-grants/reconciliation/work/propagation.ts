import { instances } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import type { AccessReconciliation } from "../schema.js";

/** The connector of a reconciliation's target; `undefined` when there is none any more. */
export async function connectorOf(ctx: Context, { connectorInstanceId }: AccessReconciliation) {
  const row = await ctx.db.get(instances, connectorInstanceId);
  return row && ctx.env.connectors.get(row.value.providerKey);
}

/** Until when copies that the target shows may be older than a write of now; `null` when they never are. */
export async function settledFrom(ctx: Context, reconciliation: AccessReconciliation): Promise<string | null> {
  const seconds = (await connectorOf(ctx, reconciliation))?.manifest.limits?.propagationSeconds ?? 0;
  return seconds > 0 ? timestamp(ctx.request.nowMs + seconds * 1_000) : null;
}
