import { type Collection, isIdOf, type StoredRecord } from "../../../kernel/collection.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import type { AssetFields } from "./fields.js";

/** The targets of relations that are no asset of this tenant. */
export async function missingTargets<R extends StoredRecord>(
  ctx: ReadContext,
  assets: Collection<R>,
  relations: AssetFields["relations"],
): Promise<string[]> {
  const targets = [...new Set(relations.map((relation) => relation.targetId))];
  const found = await ctx.db.getMany(
    assets,
    targets.filter((id) => isIdOf(assets, id)),
  );
  const known = new Set(found.map((row) => row.id));
  return targets.filter((id) => !known.has(id));
}
