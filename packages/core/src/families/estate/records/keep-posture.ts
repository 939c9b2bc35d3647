import type { OpenChanges } from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { postureAfter, type Scored } from "../assets/asset-posture.js";
import { type Asset, assets } from "../assets/schema.js";
import type { JoinedRecord } from "./declare/kind.js";
import { recordKinds } from "./declare/kinds.js";

/**
 * Stores how assets stand, on them and on their records, within the transaction. Neither is a change that somebody
 * made, so there is no event, and `If-Match` still accepts the version before.
 */
export async function keepPosture(
  ctx: Context,
  { byAsset }: Pick<OpenChanges, "byAsset">,
  scores: ReadonlyMap<string, Scored> = new Map(),
): Promise<void> {
  const ids = [...new Set([...byAsset.keys(), ...scores.keys()])];
  await inChunks(ids, async (some) => {
    const rows = await ctx.db.getMany(assets, some);
    const moved = rows.flatMap(({ value: before }) => {
      const after = postureAfter(before, byAsset.get(before.id) ?? {}, scores.get(before.id), ctx.now);
      const isSame = after.openFindings === before.openFindings && after.postureScoredAt === before.postureScoredAt;
      return isSame || before.status === "retired" ? [] : [{ before, after }];
    });
    const records = await recordsOf(
      ctx,
      moved.map(({ before }) => before),
    );
    for (const { before, after } of moved) {
      await ctx.update(assets, before, after, { event: false, copy: true });
      const joined = records.get(before.id);
      if (joined) await ctx.update(joined.collection, joined.record, after, { event: false, copy: true });
    }
    return [];
  });
}

/** The records of assets by the id of the asset: one query per type. */
async function recordsOf(ctx: Context, list: readonly Asset[]) {
  const found = ctx.env.use(recordKinds).map(async ({ assetType, collection }) => {
    const keys = list.filter((asset) => asset.assetType === assetType).map(({ id }) => ({ assetId: id }));
    const rows = keys.length === 0 ? [] : await ctx.db.lookupMany<JoinedRecord>(collection, "asset", keys);
    return rows.flatMap((row) => (row ? [[row.value.assetId, { collection, record: row.value }] as const] : []));
  });
  return new Map((await Promise.all(found)).flat());
}
