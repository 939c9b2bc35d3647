import { instances } from "#families/connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import {
  blanksOf,
  type Coverage,
  GAP_REASONS,
  GRANULARITIES,
  gapsSince,
  UNKNOWN_REASONS,
  windowStart,
} from "./rules.js";
import { usageFeeds } from "./schema.js";

/** What is known of use in one target, as it is served. */
export const UsageCoverage = z.object({
  connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
  granularity: z.enum(GRANULARITIES).meta({ description: "What its uses are told apart by." }),
  from: Time.nullable().meta({ description: "Since when its use is known." }),
  through: Time.nullable().meta({ description: "Up to when." }),
  complete: z.boolean().meta({ description: "Whether access that was not seen in use was not used." }),
  unknownBecause: z.array(z.enum(UNKNOWN_REASONS)).meta({ description: "Why nobody can tell." }),
  gaps: z
    .array(
      z.object({
        from: Time.meta({ description: "When it begins." }),
        to: Time.meta({ description: "When it ends." }),
        reason: z.enum(GAP_REASONS).meta({ description: "Why use may be missing." }),
      }),
    )
    .meta({ description: "Times of these days whose use may be missing." }),
});
export type UsageCoverage = z.output<typeof UsageCoverage>;

export const NOTHING_KNOWN: Coverage = { granularity: "none", from: null, through: null, gaps: [], lagSeconds: 0 };

/** What is known of use in some targets, with a few queries for all of them. */
export async function coverageOf(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, Coverage>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const keys = distinct.map((connectorInstanceId) => ({ connectorInstanceId }));
  const [rows, feeds] = await Promise.all([
    ctx.db.getMany(instances, distinct),
    ctx.db.lookupMany(usageFeeds, "instance", keys),
  ]);
  const manifests = new Map(
    rows.map(({ id, value }) => [id, ctx.env.connectors.get(value.providerKey)?.manifest] as const),
  );
  return new Map(
    distinct.map((id, index): [string, Coverage] => {
      const usage = manifests.get(id)?.usage;
      const feed = feeds[index]?.value;
      if (!usage || !feed) return [id, usage ? { ...NOTHING_KNOWN, granularity: usage.granularity } : NOTHING_KNOWN];
      const { coveredFrom: from, coveredThrough: through, gaps } = feed;
      return [id, { granularity: usage.granularity, from, through, gaps, lagSeconds: usage.lagSeconds ?? 0 }];
    }),
  );
}

/** Coverage of some days as it is served. */
export function shownCoverage(
  connectorInstanceId: string,
  coverage: Coverage,
  window: { readonly nowMs: number; readonly days: number },
): UsageCoverage {
  const { granularity, from, through } = coverage;
  const unknownBecause = blanksOf(coverage, window);
  const gaps = gapsSince(coverage, windowStart(window.nowMs, window.days)).map((gap) => ({ ...gap }));
  return {
    connectorInstanceId,
    granularity,
    from,
    through,
    complete: unknownBecause.length === 0,
    unknownBecause,
    gaps,
  };
}
