import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { ConnectorInstance } from "./schema.js";

/** What an instance is still needed for. */
export interface InstanceHolder {
  /** In the plural, as in "assignments". */
  readonly what: string;
  /** How many keep it from being deleted, and how many it only waits for. */
  holding(ctx: ReadContext, instanceId: string): Promise<{ readonly live: number; readonly underWay: number }>;
  /**
   * Ends what keeps it, for an instance that is deleted with a mode. 403 for those who may not. `revoke_first`: the target
   * is asked to, and waited for. `orphan`: nobody asks it, and what it has stays there.
   */
  end?(ctx: Context, instance: ConnectorInstance, mode: RemovalMode, reason: string): Promise<void>;
}

/** What becomes of access that a deleted instance gave. */
export const REMOVAL_MODES = ["revoke_first", "orphan"] as const;
export type RemovalMode = (typeof REMOVAL_MODES)[number];

/** Extension point: what keeps instances from being deleted. */
export const instanceHolders = defineExtensionPoint<InstanceHolder>("connectors.instanceHolders");

/** What holds an instance, by its name, and how much it waits for. */
export async function holdersOf(
  ctx: ReadContext,
  instanceId: string,
): Promise<{ readonly live: Readonly<Record<string, number>>; readonly underWay: number }> {
  const live: Record<string, number> = {};
  let underWay = 0;
  for (const holder of ctx.env.use(instanceHolders)) {
    const holding = await holder.holding(ctx, instanceId);
    if (holding.live > 0) live[holder.what] = holding.live;
    underWay += holding.underWay;
  }
  return { live, underWay };
}
