import { everyRow } from "#kernel/operation/every-page.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { Reader } from "#store/store.js";

/** Records about one other that are read together with those about others. */
const EACH = 200;

/** All records of a collection whose `subjectId` is one of these, in one read unless there are very many about one. */
export async function rowsAbout<R extends StoredRecord>(
  db: Pick<Reader, "find" | "findTopPerKey">,
  collection: Collection<R>,
  ids: readonly string[],
): Promise<R[]> {
  const found = await db.findTopPerKey(collection, { field: "subjectId", values: ids, size: EACH });
  const all: R[] = [];
  for (const [subjectId, rows] of found) {
    const complete = rows.length < EACH ? rows : await everyRow(db, collection, { where: { subjectId } });
    all.push(...complete.map(({ value }) => value));
  }
  return all;
}
