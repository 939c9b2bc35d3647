import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Joined } from "../effective/record-side.js";
import type { Asset } from "../schema.js";
import { inherited } from "./decide.js";
import { graphOf, type Node } from "./graph.js";
import { stopsOf } from "./stops.js";

/**
 * Keeps an asset out of production while something that it depends on may not be used. The guard on relations tells of
 * what its own record names and is not there.
 */
export const usableDependencies = {
  async denial(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
    const [stopOf, graph] = await Promise.all([stopsOf(ctx), graphOf(ctx, [asset as Asset])]);
    const denial = inherited(graph, graph.nodes.get(asset.id) as Node, stopOf, ctx.now);
    const isGone = denial?.path.length === 1 && denial.path[0]?.name === null;
    return isGone ? undefined : (denial?.message ?? undefined);
  },
};
