import type { Context } from "../../../kernel/context.js";
import { addAsset } from "../assets/add.js";
import type { AssetBody, EstateBody } from "../assets/body.js";
import type { Asset } from "../assets/schema.js";
import { sharedOf } from "./follow.js";
import type { JoinedRecord, RecordKind } from "./kind.js";
import { kindOf } from "./kinds.js";
import { checkReferences } from "./references.js";

/** What a new record says beside what its asset says. */
type OwnPart = Pick<EstateBody<object>, "fields" | "free">;

/** Stores a new asset, and with it the record that assets of its type have, in the open transaction. */
export async function registerAsset(
  ctx: Context,
  given: AssetBody,
  own: OwnPart = { fields: {}, free: {} },
): Promise<{ asset: Asset; record: JoinedRecord | undefined }> {
  const asset = await addAsset(ctx, given);
  const kind = kindOf(asset.assetType);
  return { asset, record: kind && (await addRecord(ctx, kind, asset, own)) };
}

async function addRecord(ctx: Context, kind: RecordKind, asset: Asset, own: OwnPart): Promise<JoinedRecord> {
  kind.check?.(ctx, own, undefined);
  await checkReferences(ctx, kind.references, own.fields, undefined);
  const { id, version, ...marks } = ctx.stamp(kind.collection);
  const { name, ...shared } = sharedOf(asset);
  const record: JoinedRecord = {
    id,
    name,
    status: kind.machine.initial[0],
    version,
    metadata: own.free.metadata ?? {},
    ...marks,
    assetId: asset.id,
    ...shared,
    ...kind.defaults,
    ...own.fields,
    configuration: own.free.configuration ?? {},
    attributes: own.free.attributes ?? {},
  };
  return ctx.insert(kind.collection, record);
}
