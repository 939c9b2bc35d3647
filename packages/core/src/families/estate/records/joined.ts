import type { ReadContext } from "../../../kernel/read-context.js";
import type { Asset } from "../assets/schema.js";
import { idsIn, type JoinedRecord, type RecordKind } from "./kind.js";
import { kindOf } from "./kinds.js";

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

async function recordOf(ctx: ReadContext, kind: RecordKind, { id }: Joined): Promise<JoinedRecord | undefined> {
  const row = await ctx.db.lookup<JoinedRecord>(kind.collection, "asset", { assetId: id });
  return row?.value;
}
