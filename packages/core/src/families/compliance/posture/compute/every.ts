import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { Collection } from "../../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../../store/collection.js";
import type { Row } from "../../../../store/row.js";
import type { FindQuery } from "../../../../store/store.js";

const BATCH = 1_000;

/** All matching rows, read a thousand at a time. */
export async function every<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  where: FindQuery["where"] = {},
): Promise<Row<R>[]> {
  const all: Row<R>[] = [];
  let after: FindQuery["after"];
  do {
    const found = await ctx.db.find(collection, { where, size: BATCH, ...(after ? { after } : {}) });
    all.push(...found.rows);
    after = found.next;
  } while (after);
  return all;
}
