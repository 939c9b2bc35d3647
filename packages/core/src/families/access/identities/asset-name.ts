import { assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The name of an asset, or its id when it is gone. */
export async function assetNameOf(ctx: ReadContext, assetId: string): Promise<string> {
  return (await ctx.db.get(assets, assetId))?.value.name ?? assetId;
}
