import { type AccessIdentity, accessIdentities, sharedKey } from "#families/access/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The most identities of one asset, and of one principal. */
const MOST = 100;

/** Identities of other assets that act as the same principals as an asset, by the id of the asset. */
export interface Sharers {
  readonly byAsset: ReadonlyMap<string, readonly AccessIdentity[]>;
  /** Whether some of it was left out, because it is too much. */
  readonly cut: boolean;
}

/** Who acts as the same principals as some assets, with two queries per 1,000. What a principal may do, all of them may. */
export async function sharersOf(ctx: ReadContext, assetIds: readonly string[]): Promise<Sharers> {
  const own = await inChunks(assetIds, async (values) => [
    ...(await ctx.db.findTopPerKey(accessIdentities, { field: "assetId", values, size: MOST })),
  ]);
  const keys = [...new Set(own.flatMap(([, rows]) => rows.map(({ value }) => sharedKey(value))))];
  const found = await inChunks(keys, async (values) => [
    ...(await ctx.db.findTopPerKey(accessIdentities, { field: "shared", values, size: MOST })),
  ]);
  const sharing = new Map(found);
  const byAsset = new Map(
    own.map(([assetId, rows]) => {
      const all = rows.flatMap(({ value }) => sharing.get(sharedKey(value)) ?? []).map(({ value }) => value);
      return [assetId, all.filter((identity) => identity.assetId !== assetId)] as const;
    }),
  );
  return { byAsset, cut: [...own, ...found].some(([, rows]) => rows.length === MOST) };
}
