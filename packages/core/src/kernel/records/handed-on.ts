import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "./collection.js";
import { type Hands, withHands } from "./hands.js";

/** The hands of a record after a change of these fields: also who changed it, and who owned it until then. */
export function handsAfter<R extends StoredRecord>(
  collection: Collection<R>,
  previous: R,
  changes: readonly { readonly field: string }[],
  by: string,
): { readonly hands?: Hands } {
  const { hands } = collection;
  if (!hands || changes.every(({ field }) => hands.free.includes(field))) return {};
  return handedOn(collection, previous, [by, ...(hands.owners?.(previous) ?? [])]);
}

/** The hands of a record with more of them. Nothing for records that keep none. */
export function handedOn<R extends StoredRecord>(
  { hands }: Pick<Collection<R>, "hands">,
  record: R,
  more: readonly string[],
): { readonly hands?: Hands } {
  return hands ? { hands: withHands((record as R & { readonly hands: Hands }).hands, more) } : {};
}
