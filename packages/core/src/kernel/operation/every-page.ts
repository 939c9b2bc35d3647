import type { StoredRecord } from "#store/collection.js";
import type { FindQuery, Position } from "#store/find-query.js";
import type { Row } from "#store/row.js";
import type { Reader } from "#store/store.js";
import type { Collection } from "../records/collection.js";

/** Rows that are read at a time. */
const PAGE = 500;

type Query = Omit<FindQuery, "after" | "size"> & { readonly size?: number };

/** All rows of a query, page by page, of which each is read when it is asked for. At least one page, perhaps empty. */
export async function* everyPage<R extends StoredRecord>(
  reader: Pick<Reader, "find">,
  collection: Collection<R>,
  query: Query,
): AsyncGenerator<readonly Row<R>[]> {
  const sized = { size: PAGE, ...query };
  let after: Position | undefined;
  do {
    const { rows, next } = await reader.find(collection, after ? { ...sized, after } : sized);
    yield rows;
    after = next;
  } while (after);
}

/** All rows of a query, for what is known to fit into memory. */
export async function everyRow<R extends StoredRecord>(
  reader: Pick<Reader, "find">,
  collection: Collection<R>,
  query: Query,
): Promise<Row<R>[]> {
  const all: Row<R>[] = [];
  for await (const rows of everyPage(reader, collection, query)) all.push(...rows);
  return all;
}
