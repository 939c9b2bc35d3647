import { z } from "zod";
import type { Context } from "../../../../kernel/operation/context.js";
import { defineCollection } from "../../../../kernel/records/collection.js";
import { Time } from "../../../../kernel/records/record.js";

const EvaluationMark = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  /** Digest of the asset's values and of all policies, from which its last results were computed. */
  key: z.string(),
  /** How many policies have a result on it that time alone cannot change. */
  pairs: z.int(),
});
export type EvaluationMark = z.output<typeof EvaluationMark>;

/**
 * What the stored results of each asset rest on, under the asset's id. A run over everything compares it before it reads
 * the results, which are many times as long. A mark is written and removed together with them.
 */
export const evaluationMarks = defineCollection<EvaluationMark>({
  name: "evaluation_marks",
  prefix: null,
  schema: EvaluationMark,
  secrets: [],
});

/** A mark to store. `null` for results that do not all rest on the same state. */
export type Marked = Pick<EvaluationMark, "key" | "pairs"> | null;

/** Stores the marks of assets by id, within the transaction that stores their results. */
export async function storeMarks(
  ctx: Context,
  stored: ReadonlyMap<string, EvaluationMark>,
  marked: ReadonlyMap<string, Marked>,
): Promise<void> {
  const news: Pick<EvaluationMark, "id" | "key" | "pairs">[] = [];
  for (const [id, next] of marked) {
    const before = stored.get(id);
    if (!next) await removeMark(ctx, before);
    else if (before) await ctx.update(evaluationMarks, before, next);
    else news.push({ id, ...next });
  }
  await ctx.insertMany(evaluationMarks, news);
}

/** Removes the mark of an asset whose results are dropped. */
export async function dropMark(ctx: Context, assetId: string): Promise<void> {
  await removeMark(ctx, (await ctx.db.get(evaluationMarks, assetId))?.value);
}

async function removeMark(ctx: Context, mark: EvaluationMark | undefined): Promise<void> {
  if (mark) await ctx.remove(evaluationMarks, mark);
}
