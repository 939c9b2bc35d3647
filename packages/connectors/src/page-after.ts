import { type ListingEnd, type Page, type PageRequest, WHOLE } from "@reeve/core/connectors";

/**
 * A page of a list that is read whole for each page, or as far as the target shows it: `end` says which. The cursor is
 * the key of the last item, so that what comes and goes between two reads shifts nothing else.
 */
export function pageAfter<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { cursor, limit }: PageRequest,
  end: ListingEnd = WHOLE,
): Page<T> {
  const byKey = all.map((item) => [keyOf(item), item] as const).sort(([one], [other]) => (one < other ? -1 : 1));
  const rest = cursor === undefined ? byKey : byKey.filter(([key]) => key > cursor);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(([, item]) => item),
    ...(rest.length > limit && last ? { nextCursor: last[0], complete: false } : end),
  };
}
