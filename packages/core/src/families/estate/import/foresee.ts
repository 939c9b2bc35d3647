import type { FieldValue, StoredRecord } from "../../../kernel/collection.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import { SIZE_LIMIT } from "../../../store/query.js";
import { keyValues } from "../../../kernel/batch/knowledge.js";
import { assets } from "../assets/schema.js";
import { isIdOf } from "../../../kernel/collection.js";
import { RECORD_KINDS } from "../records/kinds.js";
import type { ReadItem } from "./item.js";

/** Reads whatever the items of one transaction will ask for, in a few questions for all of them. */
export async function foresee(ctx: ReadContext, items: readonly ReadItem[]): Promise<void> {
  const keys = items.flatMap(({ key, keys }) => [key, ...keys.values()]);
  const found = await inParts(keys, (some) => ctx.db.lookupMany(assets, "identity", some));
  const named = items.flatMap(({ kind, own }) =>
    (kind?.references ?? []).flatMap(({ field }) => (own?.fields[field] as string[] | undefined) ?? []),
  );
  await inParts(
    [...new Set(named)].filter((id) => isIdOf(assets, id)),
    (some) => ctx.db.getMany(assets, some),
  );
  const known = new Set(found.flatMap((row) => (row ? [row.id] : [])));
  if (known.size > 0) await foreseeRecords(ctx, [...known]);
}
