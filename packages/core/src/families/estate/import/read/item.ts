import type { z } from "zod";
import { invalidProperty } from "#kernel/http/errors.js";
import { requireSeen } from "#kernel/operation/claims.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { parseBody } from "#kernel/pipeline/input.js";
import type { Sayer } from "#kernel/records/authority.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { ASSET_DEFAULTS, AssetFields } from "../../assets/fields.js";
import { type AssetBody, type EstateBody, readAssetBody, readEstateBody } from "../../assets/register/body.js";
import type { RecordKind } from "../../records/declare/kind.js";
import { kindOf } from "../../records/declare/kinds.js";
import { refuseElsewhere, refuseRecordFields } from "../../records/write/body.js";
import { ImportItem } from "../schema.js";
import { isObject, keyOf, type Mention, type NaturalKey, takeFromRecord, takeFromRelations } from "./mentions.js";
import { within } from "./within.js";

/** The typed record in an import item. */
export interface OwnBody extends EstateBody<Record<string, unknown>> {
  /** The result of the kind's `prepare`, which runs outside of transactions. */
  readonly prepared: unknown;
  readonly mentions: readonly Mention[];
}

/** An import item after checks that need no store. */
export interface ReadItem {
  /** Whether a connected system says it, or whoever imports. */
  readonly sayer: Sayer;
  readonly ref: string | undefined;
  readonly key: NaturalKey;
  readonly kind: RecordKind | undefined;
  readonly asset: AssetBody;
  /** `undefined` when the item has no record. */
  readonly own: OwnBody | undefined;
  /** Handles in the relations of the asset. */
  readonly mentions: readonly Mention[];
  /** The natural keys of handles that are not a `ref`. */
  readonly meant: ReadonlyMap<Mention, NaturalKey>;
}

/** Makes the checks of an item that need no stored data. */
export async function readItem(ctx: ReadContext, given: unknown, sayer: Sayer = "import"): Promise<ReadItem> {
  if (!isObject(given)) throw invalidProperty("", "An item is an object.");
  const { ref, record, ...body } = parseBody(ImportItem, given) as z.output<typeof ImportItem>;
  const taken = takeFromRelations(body);
  const asset = readAssetBody(taken.body as GenericBody, undefined, sayer);
  requireSeen(AssetFields.shape, asset.fields, ctx.now);
  refuseRecordFields(ctx.env, asset.fields.assetType, body as GenericBody);
  const { assetType, provider, environment, externalRef } = { ...ASSET_DEFAULTS, ...asset.fields };
  if (!externalRef)
    throw invalidProperty("/externalRef", "Give `externalRef.id`: by it an import knows the asset again.");
  const key = { assetType, provider, externalId: externalRef.id, environment };
  const kind = kindOf(ctx.env, assetType);
  if (record && !kind) throw invalidProperty("/record", `Assets of type "${assetType}" have no record of their own.`);
  const own = kind && record && (await readOwn(ctx, kind, record, sayer));
  const meant = new Map<Mention, NaturalKey>();
  for (const mention of [...taken.mentions, ...(own?.mentions ?? [])]) {
    const other = keyOf(mention, key);
    if (other) meant.set(mention, other);
  }
  return { sayer, ref, key, kind, asset, own, mentions: taken.mentions, meant };
}

async function readOwn(ctx: ReadContext, kind: RecordKind, record: GenericBody, sayer: Sayer): Promise<OwnBody> {
  const { body, mentions } = takeFromRecord(record, kind.references);
  return within("/record", async () => {
    if (record.status !== undefined && !("machine" in kind.status))
      throw invalidProperty("/status", "This status is the asset's: give it on the item itself.");
    const isAssets = (name: string) => name in AssetFields.shape && !(name in kind.ownFields.shape);
    refuseElsewhere(body as GenericBody, isAssets, "A field of the asset: give it on the item itself.");
    const read = readEstateBody(body as GenericBody, kind.ownFields, kind.readOnlyNames, undefined, { sayer });
    requireSeen(kind.ownFields.shape, read.fields, ctx.now);
    return { ...read, mentions, prepared: await kind.prepare?.(ctx, body as GenericBody) };
  });
}
