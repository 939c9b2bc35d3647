import { defineExtensionPoint } from "../../../../kernel/config/extension.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";

/** What an instance is still needed for. */
export interface InstanceHolder {
  /** In the plural, as in "assignments". */
  readonly what: string;
  /** How many keep it from being deleted, and how many it only waits for. */
  holding(ctx: ReadContext, instanceId: string): Promise<{ readonly live: number; readonly underWay: number }>;
}

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
