import type { FindQuery, Reader } from "@reeve/core";
import { ids } from "./builders.js";
import { things } from "./collections.js";

/** The ids of all things a query shows when it is walked by cursor to its end; `between` runs while each next page is read. */
export async function walk(as: Reader, query: FindQuery, between?: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  let after = query.after;
  for (;;) {
    const [page] = await Promise.all([as.find(things, after === undefined ? query : { ...query, after }), between?.()]);
    seen.push(...ids(page));
    if (!page.next) return seen;
    after = page.next;
  }
}
