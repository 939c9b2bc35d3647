import { ASSET_TYPES } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const EvaluationMark = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  /** Digest of the asset's values and of all policies, from which its last results were computed. */
  key: z.string(),
  /** How many policies have a result on it that time alone cannot change. */
  pairs: z.int(),
  /** The type that the asset had, the version of its row, and when it was scored. */
  assetType: z.enum(ASSET_TYPES),
  assetVersion: z.int(),
  scoredAt: Time.nullable(),
  /** Digest of the ids and versions of all other rows that the values were read from. */
  rows: z.string(),
});
export type EvaluationMark = z.output<typeof EvaluationMark>;

/**
 * What the stored results of each asset rest on, under the asset's id. A run over everything compares it before it
 * parses the asset, and before it reads the results, which are many times as long. A mark is written and removed
 * together with them.
 */
export const evaluationMarks = defineCollection<EvaluationMark>({
  name: "evaluation_marks",
  prefix: null,
  schema: EvaluationMark,
  secrets: [],
});

/** A mark to store. `null` for results that do not all rest on the same state. */
export type Marked = Omit<EvaluationMark, "id" | "version" | "createdAt"> | null;

/** What all results of an asset rest on: its values, the policies, and what the values were read from. */
export type MarkBasis = Omit<NonNullable<Marked>, "pairs">;

/** What the values of an asset were read from. While that is the same, they are. */
export type ReadFrom = Pick<EvaluationMark, "assetType" | "assetVersion" | "scoredAt" | "rows">;

/** Stores the marks of assets by id, within the transaction that stores their results. */
export async function storeMarks(
  ctx: Context,
  list: readonly { readonly id: string; readonly mark: EvaluationMark | undefined }[],
  marked: ReadonlyMap<string, Marked>,
): Promise<void> {
  const news: (Pick<EvaluationMark, "id"> & NonNullable<Marked>)[] = [];
  for (const { id, mark: before } of list) {
    const next = marked.get(id);
    if (next === undefined) continue;
    if (!next) await removeMark(ctx, before);
    else if (before) await ctx.update(evaluationMarks, before, next);
    else news.push({ id, ...next });
  }
  await ctx.insertMany(evaluationMarks, news);
}

/** A mark whose asset is the same though it is read from other rows than before. */
export interface Moved {
  readonly mark: EvaluationMark;
  readonly to: ReadFrom;
}

/** Notes what assets are read from now, so that the next run need not read them. */
export async function moveMarks(ctx: Context, moved: readonly Moved[]): Promise<void> {
  for (const { mark, to } of moved) await ctx.update(evaluationMarks, mark, to);
}

/** Removes the mark of an asset whose results are dropped. */
export async function dropMark(ctx: Context, assetId: string): Promise<void> {
  await removeMark(ctx, (await ctx.db.get(evaluationMarks, assetId))?.value);
}

async function removeMark(ctx: Context, mark: EvaluationMark | undefined): Promise<void> {
  if (mark) await ctx.remove(evaluationMarks, mark);
}
