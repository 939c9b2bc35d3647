import { syncStates } from "#families/access/index.js";
import { extend } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { syncStatusOf } from "./rules.js";
import { type AccessSync, accessSyncs } from "./schema.js";

/** The last sync of each of some targets, by their ids. */
export async function lastSyncs(ctx: ReadContext, values: readonly string[]): Promise<ReadonlyMap<string, AccessSync>> {
  const found = await ctx.db.findTopPerKey(accessSyncs, { field: "connectorInstanceId", values, size: 1 });
  return new Map([...found].flatMap(([id, [row]]) => (row ? [[id, row.value] as const] : [])));
}

/** A target that was never read takes no requests. */
export const readTargets = extend(syncStates, async (ctx, targetIds) => {
  const last = await lastSyncs(ctx, targetIds);
  return new Map([...last].map(([id, sync]) => [id, syncStatusOf(sync)]));
});
