import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { assets } from "../../assets/schema.js";
import { type AssetReference, idsIn } from "../declare/kind.js";
import { kindOf } from "../declare/kinds.js";

/**
 * The given fields with each reference as the id of an asset. Callers may also give the id of its record. 400
 * `invalid_reference` unless each added id is of the right type in this tenant. Ids that were there before may stay
 * when their asset is gone.
 */
export async function resolveReferences<T extends object>(
  ctx: ReadContext,
  references: readonly AssetReference[],
  given: T,
  before: object | undefined,
): Promise<T> {
  const named = references.filter(({ field }) => field in given);
  if (named.every(({ field }) => idsIn(given, field).length === 0)) return given;
  const assetIds = await assetsOfRecords(ctx, named, given);
  const meant = (id: string) => assetIds.get(id) ?? id;
  const added = named.flatMap(({ field, assetType }) => {
    const known = new Set(idsIn(before, field));
    const ids = idsIn(given, field).map((id, at) => ({ id: meant(id), at }));
    return ids.filter(({ id }) => !known.has(id)).map((one) => ({ ...one, field, assetType }));
  });
  const wanted = [...new Set(added.map(({ id }) => id))].filter((id) => isIdOf(assets, id));
  const types = new Map((await ctx.db.getMany(assets, wanted)).map(({ id, value }) => [id, value.assetType]));
  const wrong = added.find(({ id, assetType }) => types.get(id) !== assetType);
  if (wrong) throw invalidReference(given, wrong);
  return { ...given, ...Object.fromEntries(named.map(({ field }) => [field, resolved(given, field, meant)])) };
}

/** The asset ids of those ids that are of records, with one query per type. */
async function assetsOfRecords(
  ctx: ReadContext,
  references: readonly AssetReference[],
  given: object,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    references.map(async ({ field, assetType }) => {
      const collection = kindOf(ctx.env, assetType)?.collection;
      const ids = collection ? idsIn(given, field).filter((id) => isIdOf(collection, id)) : [];
      return collection && ids.length > 0 ? ctx.db.getMany<{ assetId: string } & RecordRow>(collection, ids) : [];
    }),
  );
  return new Map(found.flat().map(({ id, value }) => [id, value.assetId]));
}

interface RecordRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
}

function resolved(given: object, field: string, meant: (id: string) => string): unknown {
  const held = (given as Record<string, unknown>)[field];
  return Array.isArray(held) ? [...new Set(held.map(meant))] : held === null ? null : meant(held as string);
}

function invalidReference(given: object, wrong: { field: string; at: number; assetType: string }): Error {
  const isList = Array.isArray((given as Record<string, unknown>)[wrong.field]);
  const pointer = isList ? `/${wrong.field}/${wrong.at}` : `/${wrong.field}`;
  const message = `There is no asset of type "${wrong.assetType}" with this id.`;
  return invalidProperty(pointer, message, "invalid_reference");
}
