import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Joined } from "../effective/record-side.js";

/** What knows whether the assets that an asset depends on may be used. */
interface Dependencies {
  /** Why one of them may not be used, in words. It is the whole asset, as it will be. */
  denial(ctx: ReadContext, asset: Joined): Promise<string | undefined>;
}

/** Extension point: what an asset depends on, at the moment of a promotion. */
export const dependencies = defineExtensionPoint<Dependencies>("estate.dependencies");

/** Why an asset cannot be used for what it depends on. `undefined` when nothing there keeps it back. */
export async function dependencyDenial(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  for (const one of ctx.env.use(dependencies)) {
    const denial = await one.denial(ctx, asset);
    if (denial !== undefined) return denial;
  }
  return undefined;
}
