import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { namesIn, prefetchUsers } from "../../assets/owners/parties.js";
import { assets } from "../../assets/schema.js";
import { idsIn, type JoinedRecord, type RecordKind } from "../../records/declare/kind.js";
import { kindOf, recordKinds } from "../../records/declare/kinds.js";
import type { ReadItem } from "../read/item.js";
import { textOf } from "../read/mentions.js";

/** Prefetches the records that the items of one transaction need, in a few queries. */
export async function prefetch(ctx: ReadContext, items: readonly ReadItem[]): Promise<void> {
  const keys = new Map(items.flatMap(({ key, meant }) => [key, ...meant.values()]).map((key) => [textOf(key), key]));
  const found = await inChunks([...keys.values()], (some) => ctx.db.lookupMany(assets, "identity", some));
  const there = found.flatMap((row) => row ?? []);
  await prefetchReferences(ctx, items);
  await prefetchUsers(ctx, [...new Set(items.flatMap(({ asset }) => namesIn(asset.fields)))]);
  for (const kind of ctx.env.use(recordKinds)) {
    const given = items.flatMap((item) => (item.kind === kind && item.own ? [item.own.fields] : []));
    const assetIds = there.flatMap(({ id, value }) => (value.assetType === kind.assetType ? [{ assetId: id }] : []));
    const rows = await inChunks(assetIds, (some) => recordsOf(ctx, kind, some));
    await kind.prefetch?.(
      ctx,
      given,
      rows.flatMap((row) => row?.value ?? []),
    );
  }
}

/** Ids in reference fields may be ids of assets or of their records. */
async function prefetchReferences(ctx: ReadContext, items: readonly ReadItem[]): Promise<void> {
  const named = items.flatMap(({ kind, own }) => (kind?.references ?? []).map((reference) => ({ reference, own })));
  const ids = new Set<string>();
  const byCollection = new Map<RecordKind["collection"], Set<string>>();
  for (const { reference, own } of named) {
    const collection = kindOf(ctx.env, reference.assetType)?.collection;
    for (const id of idsIn(own?.fields, reference.field)) {
      if (isIdOf(assets, id)) ids.add(id);
      if (!collection || !isIdOf(collection, id)) continue;
      byCollection.set(collection, (byCollection.get(collection) ?? new Set()).add(id));
    }
  }
  for (const [collection, recordIds] of byCollection) {
    const rows = await inChunks([...recordIds], (some) => ctx.db.getMany<JoinedRecord>(collection, some));
    for (const { value } of rows) ids.add(value.assetId);
  }
  await inChunks([...ids], (some) => ctx.db.getMany(assets, some));
}

function recordsOf(ctx: ReadContext, { collection }: RecordKind, assetIds: readonly { readonly assetId: string }[]) {
  return ctx.db.lookupMany<JoinedRecord>(collection, "asset", assetIds);
}
