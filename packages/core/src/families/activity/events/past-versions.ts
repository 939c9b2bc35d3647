import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { pastChanges, undone } from "./past-changes.js";

/** A record as an event left it. */
export interface PastVersion<R> {
  /** The event that made it. */
  readonly id: string;
  readonly at: string;
  readonly by: string;
  /** What differs from the version before; `null` of the first one. */
  readonly changed: readonly string[] | null;
  readonly record: R;
}

/**
 * The versions of a record, the newest first, by undoing its events. `shown` are the fields whose change makes a version. They
 * end early where an event was erased or pruned, or too many would have to be read; the last one is the first of all only if
 * its `changed` is `null`.
 */
export async function* pastVersions<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  record: R,
  shown: readonly string[],
): AsyncGenerator<PastVersion<R>> {
  let state = record;
  for await (const { id, at, by, isFirst, changes } of pastChanges(ctx, [[record.id, collection]])) {
    if (changes === null) return;
    const changed = changes.map(({ field }) => field).filter((field) => shown.includes(field));
    if (isFirst || changed.length > 0) yield { id, at, by, changed: isFirst ? null : changed, record: state };
    if (isFirst) return;
    state = undone(state, changes);
  }
}
