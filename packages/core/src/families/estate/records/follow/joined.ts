import { inChunks } from "../../../../kernel/async/in-chunks.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { Joined } from "../../assets/effective/record-side.js";
import { idsIn, type JoinedRecord, type RecordKind } from "../declare/kind.js";
import { kindOf, recordKinds } from "../declare/kinds.js";

/** What typed records tell about their assets. */
export const joinedRecords = {
  async references(ctx: ReadContext, asset: Joined): Promise<readonly string[]> {
    const kind = kindOf(ctx.env, asset.assetType);
    if (!kind || kind.references.length === 0) return [];
    const record = await recordOf(ctx, kind, asset);
    return kind.references.flatMap(({ field }) => idsIn(record, field));
  },
  async unready(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
    const kind = kindOf(ctx.env, asset.assetType);
    if (!kind?.unready) return undefined;
    const record = await recordOf(ctx, kind, asset);
    return record ? kind.unready(record) : "It has no record.";
  },
  /** One query per type whose records can be unusable. */
  async unusable(ctx: ReadContext, all: readonly Joined[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const { collection, unusable, assetType } of ctx.env.use(recordKinds)) {
      const concerned = all.filter((asset) => asset.assetType === assetType);
      if (!unusable || concerned.length === 0) continue;
      const keys = concerned.map(({ id }) => ({ assetId: id }));
      const rows = await inChunks(keys, (some) => ctx.db.lookupMany<JoinedRecord>(collection, "asset", some));
      for (const [index, row] of rows.entries()) {
        const reason = row && unusable(ctx.derived(collection, row));
        if (reason !== undefined) found.set((concerned[index] as Joined).id, reason);
      }
    }
    return found;
  },
};

async function recordOf(
  ctx: ReadContext,
  { collection }: RecordKind,
  { id }: Joined,
): Promise<JoinedRecord | undefined> {
  const row = await ctx.db.lookup<JoinedRecord>(collection, "asset", { assetId: id });
  return row && ctx.derived(collection, row);
}
