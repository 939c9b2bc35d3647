import { inParts } from "../../../kernel/in-parts.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import type { Row } from "../../../store/row.js";
import type { Asset } from "../assets/schema.js";
import { idsIn, type JoinedRecord, type RecordKind } from "./kind.js";
import { kindOf, RECORD_KINDS } from "./kinds.js";

type Joined = Pick<Asset, "id" | "assetType">;

/** The ids of other assets that the record of an asset names. */
export async function referencesOf(ctx: ReadContext, asset: Joined): Promise<readonly string[]> {
  const kind = kindOf(asset.assetType);
  if (!kind || kind.references.length === 0) return [];
  const record = await recordOf(ctx, kind, asset);
  return kind.references.flatMap(({ field }) => idsIn(record, field));
}

/** What of its record keeps an asset out of production; `undefined` when nothing does. */
export async function unreadyRecord(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  const kind = kindOf(asset.assetType);
  if (!kind?.unready) return undefined;
  const record = await recordOf(ctx, kind, asset);
  return record ? kind.unready(record) : "It has no record.";
}

/** Why its record keeps an asset from being used; `undefined` when it does not. */
export async function unusableRecord(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  const kind = kindOf(asset.assetType);
  if (!kind?.unusable) return undefined;
  const record = await recordOf(ctx, kind, asset);
  return record && kind.unusable(record);
}

/** The same for many assets, by id: one question for each type whose records can be unusable. */
export async function unusableRecords(ctx: ReadContext, all: readonly Joined[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const kind of RECORD_KINDS) {
    const { collection, unusable, assetType } = kind;
    const concerned = all.filter((asset) => asset.assetType === assetType);
    if (!unusable || concerned.length === 0) continue;
    const keys = concerned.map(({ id }) => ({ assetId: id }));
    const rows = await inParts(keys, (some) => ctx.db.lookupMany<JoinedRecord>(collection, "asset", some));
    for (const [index, row] of rows.entries()) {
      const reason = row && unusable(asSeen(ctx, kind, row));
      if (reason !== undefined) found.set((concerned[index] as Joined).id, reason);
    }
  }
  return found;
}

async function recordOf(ctx: ReadContext, kind: RecordKind, { id }: Joined): Promise<JoinedRecord | undefined> {
  const row = await ctx.db.lookup<JoinedRecord>(kind.collection, "asset", { assetId: id });
  return row && asSeen(ctx, kind, row);
}

/** A record as it is at this moment. */
function asSeen(ctx: ReadContext, { collection }: RecordKind, { staleAt, value }: Row<JoinedRecord>): JoinedRecord {
  const due = staleAt !== null && staleAt <= ctx.now;
  return (due && collection.derive?.(value, ctx.now)) || value;
}
