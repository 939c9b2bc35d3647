import type { FindQuery, Reader, StoredCollection, StoredRecord } from "@reeve/core/store";
import { ids } from "./builders.js";
import { things } from "./collections.js";

const FAR = 5_000;

/** Throws when paging goes on far beyond all rows, so that a store that repeats itself fails and does not hang. */
export function assertProgress(seen: readonly unknown[]): void {
  if (seen.length > FAR) throw new Error(`the walk did not end within ${FAR} steps`);
}

/** The ids of all rows of a query, paged by cursor to the end. `between` runs while each next page is read. */
export async function walk(as: Reader, query: FindQuery, between?: () => Promise<void>): Promise<string[]> {
  return walkOf(things, as, query, between);
}

/** The same for any collection. Pages may be short or empty as long as there is a next one. */
export async function walkOf<R extends StoredRecord>(
  collection: StoredCollection<R>,
  as: Reader,
  query: FindQuery,
  between?: () => Promise<void>,
): Promise<string[]> {
  const seen: string[] = [];
  let pages = 0;
  let after = query.after;
  for (;;) {
    const [page] = await Promise.all([
      as.find(collection, after === undefined ? query : { ...query, after }),
      between?.(),
    ]);
    seen.push(...ids(page));
    if (!page.next) return seen;
    assertProgress(seen);
    if (pages++ > FAR) throw new Error(`the walk did not end within ${FAR} pages`);
    after = page.next;
  }
}
