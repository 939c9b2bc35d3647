import type { Context } from "../../../kernel/context.js";
import type { AssetBody, EstateBody } from "../assets/body.js";
import { changeAsset, moveLifecycle } from "../assets/moves.js";
import { materialOf } from "../assets/rules.js";
import { type Asset, assets } from "../assets/schema.js";
import type { JoinedRecord, RecordKind } from "../records/kind.js";
import { checkReferences } from "../records/references.js";
import { registerAsset } from "../records/register.js";
import { within } from "./item.js";
import { requireRecordRight } from "./rights.js";
import type { Imported } from "./schema.js";

type Own = EstateBody<Readonly<Record<string, unknown>>> | undefined;

/** What is to be stored of an item, with an id wherever it names another asset. */
export interface Content {
  readonly kind: RecordKind | undefined;
  readonly asset: AssetBody;
  readonly own: Own;
}

/** Stores a new asset and its record, and moves each to the state that is asked for. */
export async function createItem(ctx: Context, { kind, asset: given, own }: Content): Promise<Imported> {
  if (kind && own) requireRecordRight(ctx, kind);
  const fields = { source: "import", ...given.fields } as const;
  const made = await within("/record", () => registerAsset(ctx, { ...given, fields }, own));
  if (given.status !== undefined) await moveLifecycle(ctx, made.asset, given.status, given.reason);
  if (kind && own?.status !== undefined) {
    const record: JoinedRecord = await ctx.need(kind.collection, (made.record as JoinedRecord).id);
    const { status: to, reason } = own;
    await within("/record", () => ctx.transition(kind.collection, kind.machine, record, { to }, { reason }));
  }
  return { outcome: "created", id: made.asset.id, recordId: made.record?.id ?? null };
}

/**
 * Changes what an item says differently. Its states are those of a new asset: what has become of one that is there is not an
 * import's to undo.
 */
export async function updateItem(ctx: Context, id: string, { kind, asset: given, own }: Content): Promise<Imported> {
  const before = await ctx.need(assets, id);
  const joined = kind && (await ctx.db.lookup(kind.collection, "asset", { assetId: id }));
  const recordId = joined?.id ?? null;
  const changed = kind && own && joined ? await updateRecord(ctx, kind, joined.id, own) : undefined;
  const material = changed ? materialOf(before, changed.material, ctx.env.options.reReviewOn) : [];
  const after: Asset = await changeAsset(ctx, before, { ...given.fields, ...given.free }, material);
  const same = after.version === before.version && !changed?.differs;
  return { outcome: same ? "unchanged" : "updated", id, recordId };
}

async function updateRecord(
  ctx: Context,
  kind: RecordKind,
  id: string,
  own: NonNullable<Own>,
): Promise<{ readonly differs: boolean; readonly material: readonly string[] }> {
  requireRecordRight(ctx, kind);
  const before: JoinedRecord = await ctx.need(kind.collection, id);
  await within("/record", async () => {
    kind.check?.(ctx, own, before);
    await checkReferences(ctx, kind.references, own.fields, before);
  });
  const { name: _ofTheAsset, ...free } = own.free;
  const after: JoinedRecord = await ctx.update(kind.collection, before, { ...own.fields, ...free });
  return { differs: after.version !== before.version, material: kind.material?.(before, after) ?? [] };
}
