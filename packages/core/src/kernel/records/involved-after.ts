import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "./collection.js";
import { type InvolvedParties, withInvolved } from "./involved.js";

/** Who is involved in a record after a change of these fields: also who changed it, and who owned it until then. */
export function involvedAfter<R extends StoredRecord>(
  collection: Collection<R>,
  previous: R,
  changes: readonly { readonly field: string }[],
  by: string,
): { readonly involved?: InvolvedParties } {
  const { involved } = collection;
  if (!involved || changes.every(({ field }) => involved.free.includes(field))) return {};
  return alsoInvolved(collection, previous, [by, ...(involved.owners?.(previous) ?? [])]);
}

/** Who is involved in a record, with more of them. Nothing for records that keep none. */
export function alsoInvolved<R extends StoredRecord>(
  { involved }: Pick<Collection<R>, "involved">,
  record: R,
  more: readonly string[],
): { readonly involved?: InvolvedParties } {
  return involved
    ? { involved: withInvolved((record as R & { readonly involved: InvolvedParties }).involved, more) }
    : {};
}
