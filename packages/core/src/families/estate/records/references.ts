import { isIdOf } from "../../../kernel/collection.js";
import { invalidProperty } from "../../../kernel/errors.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import { assets } from "../assets/schema.js";
import type { AssetReference } from "./kind.js";

/**
 * 400 `invalid_reference` unless every id that a body adds names an asset of the right type in this tenant. Ids that were there
 * before may stay although their asset is gone.
 */
export async function checkReferences(
  ctx: ReadContext,
  references: readonly AssetReference[],
  given: object,
  before: object | undefined,
): Promise<void> {
  for (const { field, assetType } of references) {
    const wanted = idsIn(given, field);
    const known = new Set(idsIn(before, field));
    const added = wanted.filter((id) => !known.has(id));
    const found = await ctx.db.getMany(
      assets,
      added.filter((id) => isIdOf(assets, id)),
    );
    const right = new Set(found.filter(({ value }) => value.assetType === assetType).map(({ id }) => id));
    const wrong = added.find((id) => !right.has(id));
    if (wrong === undefined) continue;
    const pointer = `/${field}/${wanted.indexOf(wrong)}`;
    throw invalidProperty(pointer, `There is no asset of type "${assetType}" with this id.`, "invalid_reference");
  }
}

function idsIn(record: object | undefined, field: string): readonly string[] {
  return (record as Record<string, string[]> | undefined)?.[field] ?? [];
}
