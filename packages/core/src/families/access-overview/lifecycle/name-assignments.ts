import { coverageOf, NOTHING_KNOWN, UNKNOWN_REASONS, USAGE_DAYS, usageStateOf } from "#families/access-drift/index.js";
import { type AccessAssignment, assignmentView, ShownAssignment } from "#families/access-grants/index.js";
import { instances } from "#families/connectors/index.js";
import { assets } from "#families/estate/index.js";
import { batched } from "#kernel/async/batched.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";

/** Names of what an assignment refers to by id. */
export const Names = {
  assetName: z.string().nullable().meta({ description: "Name of the asset; `null` when it is gone." }),
  targetName: z.string().nullable().meta({ description: "Name of the target; `null` when it is gone." }),
};

/** An assignment as a list over all assets shows it: with names, and whether it is used. */
export const NamedAssignment = ShownAssignment.extend({
  ...Names,
  usageState: z
    .enum(["used", "unused", "unknown"])
    .meta({ description: `Whether it was used in ${USAGE_DAYS} days. \`unknown\`: nobody can tell.` }),
  usageUnknownBecause: z.array(z.enum(UNKNOWN_REASONS)).meta({ description: "Why nobody can tell." }),
}).meta({ id: "NamedAccessAssignment" });

/** Shows assignments with names and use, with a few queries for all that are asked for at once. */
export function namedView(ctx: ReadContext): (one: AccessAssignment) => Promise<z.output<typeof NamedAssignment>> {
  const view = assignmentView(ctx);
  const names = namesOf(ctx);
  const coverages = batched<
    string,
    Awaited<ReturnType<typeof coverageOf>> extends ReadonlyMap<string, infer C> ? C : never
  >((ids) => coverageOf(ctx, ids));
  return async (one) => {
    const [shown, named, coverage] = await Promise.all([view(one), names(one), coverages(one.connectorInstanceId)]);
    const window = { nowMs: ctx.request.nowMs, days: USAGE_DAYS };
    const { usageState, unknownBecause } = usageStateOf(one, coverage ?? NOTHING_KNOWN, window);
    return { ...shown, ...named, usageState, usageUnknownBecause: [...unknownBecause] };
  };
}

/** Names what assignments refer to, with two queries for all that are asked for at once. */
export function namesOf(
  ctx: ReadContext,
): (
  one: Pick<AccessAssignment, "assetId" | "connectorInstanceId">,
) => Promise<{ assetName: string | null; targetName: string | null }> {
  const assetNames = batched<string, string>(async (ids) => namesIn(await ctx.db.getMany(assets, ids)));
  const targetNames = batched<string, string>(async (ids) => namesIn(await ctx.db.getMany(instances, ids)));
  return async ({ assetId, connectorInstanceId }) => {
    const [asset, target] = await Promise.all([assetNames(assetId), targetNames(connectorInstanceId)]);
    return { assetName: asset ?? null, targetName: target ?? null };
  };
}

const namesIn = (rows: readonly { readonly id: string; readonly value: { readonly name: string } }[]) =>
  new Map(rows.map(({ id, value }) => [id, value.name] as const));
