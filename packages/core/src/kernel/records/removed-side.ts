import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "./collection.js";

/** The stream with the event that tells of the removal of the other side of this record. */
export function removedSideStream(id: string): string {
  return `${id}#removed-side`;
}

/** The collection as its removal of a record is told: a stream keeps which other side the record had. */
export function reportedRemoval<R extends StoredRecord>(collection: Collection<R>, record: R): Collection<R> {
  const other = collection.otherSide?.(record) ?? null;
  if (other === null) return collection;
  return { ...collection, shownUnder: [...(collection.shownUnder ?? []), removedSideStream(other)] };
}
