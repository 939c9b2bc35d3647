import { inChunks } from "#kernel/async/in-chunks.js";
import { allOf, andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Joined, RecordView } from "../../assets/effective/record-side.js";
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
  /** One query per type whose records refer to others or can be unusable. */
  views(ctx: ReadContext, all: readonly Joined[]): MaybePromise<ReadonlyMap<string, RecordView>> {
    const asked = new Set(all.map(({ assetType }) => assetType));
    const kinds = ctx.env
      .use(recordKinds)
      .filter(({ assetType, references, unusable }) => asked.has(assetType) && (references.length > 0 || unusable));
    const found = allOf(kinds.map((kind) => viewsOf(ctx, kind, all)));
    return andThen(found, (views) => new Map(views.flat()));
  },
};

async function viewsOf(
  ctx: ReadContext,
  { assetType, collection, references, unusable }: RecordKind,
  all: readonly Joined[],
): Promise<(readonly [assetId: string, view: RecordView])[]> {
  const keys = all.filter((asset) => asset.assetType === assetType).map(({ id }) => ({ assetId: id }));
  const rows = await inChunks(keys, (some) => ctx.db.lookupMany<JoinedRecord>(collection, "asset", some));
  return rows.flatMap((row) => {
    if (!row) return [];
    const record = ctx.derived(collection, row);
    const named = references.map(({ field, ...reference }) => ({ ...reference, ids: idsIn(record, field) }));
    return [[record.assetId, { record, references: named, unusable: unusable?.(record) }] as const];
  });
}

async function recordOf(
  ctx: ReadContext,
  { collection }: RecordKind,
  { id }: Joined,
): Promise<JoinedRecord | undefined> {
  const row = await ctx.db.lookup<JoinedRecord>(collection, "asset", { assetId: id });
  return row && ctx.derived(collection, row);
}
