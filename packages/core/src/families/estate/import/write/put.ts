import { invalidProperty } from "#kernel/http/errors.js";
import { observedIn } from "#kernel/operation/claims.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { Sayer } from "#kernel/records/authority.js";
import { AssetFields } from "../../assets/fields.js";
import { changeAsset, moveLifecycle } from "../../assets/lifecycle/moves.js";
import { joinedEvidence, noteObservation } from "../../assets/observe-asset.js";
import { withParties } from "../../assets/owners/parties.js";
import type { AssetBody } from "../../assets/register/body.js";
import { assets } from "../../assets/schema.js";
import type { JoinedRecord, RecordKind } from "../../records/declare/kind.js";
import { changeRecord, moveByMachine } from "../../records/write/change.js";
import { registerAsset } from "../../records/write/register.js";
import { requireRecordRight } from "../../records/write/rights.js";
import type { OwnBody, ReadItem } from "../read/item.js";
import { within } from "../read/within.js";
import type { Stored } from "../schema.js";

/** The values to store for an item, with ids instead of placeholders. */
export interface Content extends Pick<ReadItem, "sayer"> {
  readonly kind: RecordKind | undefined;
  readonly asset: AssetBody;
  readonly own: OwnBody | undefined;
}

/** Stores a new asset with its record, and moves each to the requested state. */
export async function createItem(
  ctx: Context,
  { sayer, kind, asset: given, own }: Content,
  baseline = false,
): Promise<Stored> {
  requireObserver(ctx, sayer, given.fields, {});
  if (kind) requireRecordRight(ctx, kind.assetType, "write");
  const fields = { source: "import", ...(await withParties(ctx, given.fields)) } as const;
  const made = await within("/record", () => registerAsset(ctx, { ...given, fields, baseline }, own, own?.prepared));
  if (given.status !== undefined) await moveLifecycle(ctx, made.asset, given.status, { reason: given.reason });
  if (kind && own?.status !== undefined) {
    const { status, reason } = own;
    const record: JoinedRecord = await ctx.getOrThrow(kind.collection, (made.record as JoinedRecord).id);
    if (record.status !== status) await within("/record", () => moveByMachine(ctx, kind, record, status, reason));
  }
  return { outcome: "created", id: made.asset.id, recordId: made.record?.id ?? null };
}

/**
 * Changes what differs from the item, and notes that it was seen. States in items apply to new assets only, because an import must not undo later
 * transitions.
 */
export async function updateItem(
  ctx: Context,
  id: string,
  { sayer, kind, asset: given, own }: Content,
): Promise<Stored> {
  const before = await ctx.getOrThrow(assets, id);
  requireObserver(ctx, sayer, given.fields, before);
  const row = kind && (await ctx.db.lookup<JoinedRecord>(kind.collection, "asset", { assetId: id }));
  let changed: readonly string[] = [];
  let same = true;
  if (kind && own && row) {
    requireRecordRight(ctx, kind.assetType, "write");
    const record: JoinedRecord = await ctx.getOrThrow(kind.collection, row.id);
    const { name: _ofTheAsset, ...free } = own.free;
    const after = await within("/record", () => changeRecord(ctx, kind, record, { ...own, free }, own.prepared));
    same = after.version === record.version;
    if (!same) changed = kind.material?.(record, after) ?? [];
  }
  const current = await ctx.getOrThrow(assets, id);
  const fields = await withParties(ctx, given.fields, current);
  const evidence = given.fields.evidence ? { evidence: joinedEvidence(current.evidence, given.fields.evidence) } : {};
  const after = await changeAsset(ctx, current, { ...fields, ...evidence, ...given.free }, changed);
  const unchanged = same && after.version === before.version;
  if (given.fields.lastSeenAt === undefined) await noteObservation(ctx, after);
  return { outcome: unchanged ? "unchanged" : "updated", id, recordId: row?.id ?? null };
}

/**
 * 403 unless whoever imports may say where assets were found and when. 400 where they say that a connector has found
 * one, which only a connected system does.
 */
function requireObserver(ctx: Context, sayer: Sayer, fields: Partial<AssetFields>, before: Partial<AssetFields>): void {
  if (sayer === "connector") return;
  const { source, ...seen } = fields;
  if (source === "connector" && before.source !== "connector")
    throw invalidProperty("/source", "Only a connected system is a connector.", "read_only_property");
  if (observedIn(AssetFields.shape, seen).length > 0) requirePermission(ctx.env, ctx.principal, "ai-asset:provenance");
}
