import type { Context } from "../../../kernel/context.js";
import type { Circumstances } from "../../findings/index.js";
import type { PairChange } from "./pair.js";
export async function circumstancesOf(ctx: Context, _pairs: readonly PairChange[]): Promise<Circumstances> {
  return { now: ctx.now, slaDays: { critical: 7, high: 30, medium: 90, low: 180, info: null }, exemptions: [] };
}
