import type { Context } from "../../../../kernel/operation/context.js";
import { addAsset } from "../../assets/register/add.js";
import type { AssetBody, EstateBody } from "../../assets/register/body.js";
import type { Asset } from "../../assets/schema.js";
import type { JoinedRecord, RecordKind } from "../declare/kind.js";
import { kindOf } from "../declare/kinds.js";
import { sharedOf } from "../follow/follow.js";
import { resolveReferences } from "./references.js";

/** What a new record says beside what its asset says. */
type OwnPart = Pick<EstateBody<object>, "fields" | "free">;

/** Stores a new asset, and with it the record that assets of its type have, in the open transaction. */
export async function registerAsset(
  ctx: Context,
  given: AssetBody,
  own: OwnPart = { fields: {}, free: {} },
  prepared?: unknown,
): Promise<{ asset: Asset; record: JoinedRecord | undefined }> {
  const asset = await addAsset(ctx, given);
  const kind = kindOf(ctx.env, asset.assetType);
  return { asset, record: kind && (await addRecord(ctx, kind, asset, own, prepared)) };
}

async function addRecord(
  ctx: Context,
  kind: RecordKind,
  asset: Asset,
  own: OwnPart,
  prepared: unknown,
): Promise<JoinedRecord> {
  kind.check?.(ctx, own, undefined);
  const fields = await resolveReferences(ctx, kind.references, own.fields, undefined);
  const { id, version, ...marks } = ctx.stamp(kind.collection);
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
    ...kind.defaults,
    ...fields,
    ...kind.complete?.(ctx, fields, undefined, prepared),
    configuration: own.free.configuration ?? {},
    attributes: own.free.attributes ?? {},
  };
  const stored = await ctx.insert(kind.collection, record);
  return kind.finalize ? kind.finalize(ctx, stored, undefined, prepared) : stored;
}
