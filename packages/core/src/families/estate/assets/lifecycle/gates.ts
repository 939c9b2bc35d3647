import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Joined } from "../effective/record-side.js";

/** What judges an asset at its promotion, in the transaction that promotes. */
interface PromotionGate {
  /** Why the asset must stay out of production. It is the whole asset, as it will be. Empty when nothing holds it back. */
  blockers(ctx: ReadContext, asset: Joined): Promise<readonly string[]>;
}

/** Extension point: what is evaluated at the moment of a promotion. */
export const promotionGates = defineExtensionPoint<PromotionGate>("estate.promotionGates");

/** The most blockers that a refusal names. */
const MOST_NAMED = 10;

/** Why gates keep the asset, as it will be, out of production. `undefined` when all pass. */
export async function gateBlockers(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  const all: string[] = [];
  for (const gate of ctx.env.use(promotionGates)) all.push(...(await gate.blockers(ctx, asset)));
  if (all.length === 0) return undefined;
  const more = all.length > MOST_NAMED ? ` And ${all.length - MOST_NAMED} more.` : "";
  return `${all.slice(0, MOST_NAMED).join(" ")}${more}`;
}
