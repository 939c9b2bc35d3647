import type { Context } from "#kernel/operation/context.js";
import type { Stamped } from "#kernel/records/stamps.js";
import { postureOf } from "../../assets/asset-posture.js";
import { ASSET_DEFAULTS } from "../../assets/fields.js";
import { addAsset } from "../../assets/register/add.js";
import type { EstateBody, NewAsset } from "../../assets/register/body.js";
import type { Asset, RecordReference } from "../../assets/schema.js";
import type { JoinedRecord, RecordKind } from "../declare/kind.js";
import { kindOf } from "../declare/kinds.js";
import { decidedOf, sharedOf } from "../follow/follow.js";
import { resolveReferences } from "./references.js";

/** The fields of a new record that are not on its asset. */
type OwnPart = Pick<EstateBody<object>, "fields" | "free">;

/** Stores a new asset with its typed record, within the transaction. */
export async function registerAsset(
  ctx: Context,
  given: NewAsset,
  own: OwnPart = { fields: {}, free: {} },
  prepared?: unknown,
): Promise<{ asset: Asset; record: JoinedRecord | undefined }> {
  const kind = kindOf(ctx.env, given.fields.assetType ?? ASSET_DEFAULTS.assetType);
  if (!kind) return { asset: await addAsset(ctx, given, null), record: undefined };
  const stamp = ctx.stamp(kind.collection);
  const asset = await addAsset(ctx, given, referenceTo(kind, stamp.id));
  return { asset, record: await addRecord(ctx, kind, asset, stamp, own, prepared) };
}

function referenceTo({ collection: { resource } }: RecordKind, id: string): RecordReference | null {
  return resource ? { type: resource.type, id, path: `${resource.path}/${id}` } : null;
}

async function addRecord(
  ctx: Context,
  kind: RecordKind,
  asset: Asset,
  { id, version, ...marks }: Stamped,
  own: OwnPart,
  prepared: unknown,
): Promise<JoinedRecord> {
  kind.check?.(ctx, own, undefined);
  const fields = await resolveReferences(ctx, kind.references, own.fields, undefined);
  const { name, ...shared } = sharedOf(kind, asset);
  const record: JoinedRecord = {
    id,
    name,
    status: "machine" in kind.status ? kind.status.machine.initial[0] : kind.status.of(asset),
    version,
    metadata: own.free.metadata ?? {},
    ...marks,
    assetId: asset.id,
    ...shared,
    ...decidedOf(asset),
    ...postureOf(asset),
    editVersion: version,
    ...kind.defaults,
    ...fields,
    ...kind.complete?.(ctx, fields, undefined, prepared),
    configuration: own.free.configuration ?? {},
    attributes: own.free.attributes ?? {},
  };
  const stored = await ctx.insert(kind.collection, record);
  return kind.finalize ? kind.finalize(ctx, stored, undefined, prepared) : stored;
}
