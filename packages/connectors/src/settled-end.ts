import { type ListingEnd, WHOLE } from "@reeve/core/connectors";

/** What a page shows that is asked for again with another size. */
interface Again {
  readonly entries: number;
  /** It names a next page. */
  readonly goesOn: boolean;
}

/**
 * Settles whether a full page was the last one, by asking for one entry less: a target that then names a next page names
 * one whenever there is one. A target of the smallest pages is asked for one entry more.
 */
export async function settledEnd(
  end: ListingEnd,
  asked: number,
  read: (limit: number) => Promise<Again>,
): Promise<ListingEnd> {
  if (end.complete || end.incomplete !== "full_page") return end;
  const limit = asked > 1 ? asked - 1 : asked + 1;
  const { entries, goesOn } = await read(limit);
  const names = asked > 1 ? entries === limit && goesOn : entries === asked && !goesOn;
  return names ? WHOLE : end;
}
