import type { StoredRecord } from "#store/collection.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import type { Position } from "#store/find-query.js";
import type { Reader } from "#store/store.js";
import type { Collection } from "../records/collection.js";

/** Records per read. */
export const BATCH = 1_000;

/** A record as it is stored, and as readers see it now. */
export interface DueRecord<R> {
  readonly stored: R;
  readonly seen: R;
}

/** Records whose time field `by` has passed, up to 1,000 after `after`. Readers may see them differently from what is stored. */
export async function dueRecords<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  { by, after }: { readonly by: string; readonly after?: Position | undefined },
  now: string,
): Promise<{ readonly turned: readonly DueRecord<R>[]; readonly next?: Position }> {
  const query = { order: { by, direction: "asc" }, range: { through: now }, size: BATCH } as const;
  const { rows, next } = await reader.find(collection, { ...query, ...(after ? { after } : {}) });
  const turned = rows.map(({ value }) => ({ stored: value, seen: collection.derive?.(value, now) ?? value }));
  return { turned, ...(next ? { next } : {}) };
}

/** All records whose time field `by` has passed, up to 1,000 at a time. Other work of the process comes in between. */
export async function* everyDue<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  by: string,
  now: string,
): AsyncGenerator<readonly DueRecord<R>[]> {
  let after: Position | undefined;
  do {
    if (after) await yieldToEventLoop();
    const { turned, next } = await dueRecords(reader, collection, { by, after }, now);
    yield turned;
    after = next;
  } while (after);
}
