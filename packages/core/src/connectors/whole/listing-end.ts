import { nextLink } from "./links.js";
import type { IncompleteReason } from "./reasons.js";
import { type Signs, signsOf } from "./signs.js";

/** What a reader has seen of the page after which its protocol says that the listing ends. */
export interface LastPage {
  /** Entries of the page, also those that cannot be used. */
  readonly entries: number;
  /** Entries of all pages with this one. Those of this page when absent. */
  readonly read?: number;
  /** Entries that were asked for. */
  readonly asked?: number;
  /** Number of the page, from 1. */
  readonly page?: number;
  /** The answer. Its lists are not looked at. */
  readonly body?: unknown;
  readonly headers?: Pick<Headers, "get">;
  /** The cursor of the request. */
  readonly cursor?: string;
  /** Names of the members by which the protocol names a next page. Empty or null, they say that there is none. */
  readonly own?: readonly string[];
  /** The protocol links to next pages in the header `Link`, and the link was followed wherever there was one. */
  readonly follows?: boolean;
  /** Why the pages before were not whole. */
  readonly before?: IncompleteReason | null | undefined;
}

/** Whether a listing is whole with a page, as `Page` has it. */
export type ListingEnd =
  | { readonly complete: true }
  | { readonly complete: false; readonly incomplete: IncompleteReason };

export const WHOLE: ListingEnd = { complete: true };
export const notWhole = (incomplete: IncompleteReason): ListingEnd => ({ complete: false, incomplete });
/** A reason not to take a listing for whole, or none. */
export const wholeUnless = (reason: IncompleteReason | null | undefined): ListingEnd =>
  reason ? notWhole(reason) : WHOLE;

/**
 * Decides whether a listing is whole that its protocol ends with this page. It is not where anything in the page or its
 * headers contradicts that: a next page in any spelling, a count, a total, or a full page without a word about the end.
 */
export function listingEnd(last: LastPage): ListingEnd {
  return wholeUnless(last.before ?? contradiction(last));
}

function contradiction(last: LastPage): IncompleteReason | undefined {
  const { entries, read = entries, asked, body, headers, cursor, own = [], page, follows = false } = last;
  const signs = signsOf(body, { own, ...(cursor === undefined ? {} : { asked: cursor }) });
  const said = headersOf(headers);
  if (signs.cursor || said.more) return "cursor";
  if (said.link === "next" && !follows) return "link";
  if (said.link === "odd") return "link";
  const totals = [...signs.totals, ...said.totals];
  if (totals.some((total) => total !== read)) return "count";
  if (signs.counts.some((count) => count !== entries && count !== read)) return "count";
  const number = page ?? (read === entries ? 1 : undefined);
  if (number !== undefined && signs.pages.some((pages) => pages > number)) return "count";
  // A target that gives more than was asked for takes no notice of what is asked for.
  const full = asked !== undefined && entries === asked && entries > 0;
  return full && !saysEnd(signs, said, { entries, read, number }) ? "full_page" : undefined;
}

/** A total that is the number of this page's entries may count this page only. */
function saysEnd(
  signs: Signs,
  said: ReturnType<typeof headersOf>,
  { entries, read, number }: { entries: number; read: number; number: number | undefined },
): boolean {
  if (signs.end || said.end) return true;
  if (number !== undefined && signs.pages.includes(number)) return true;
  return read > entries && [...signs.totals, ...said.totals].includes(read);
}

const TOTALS = ["x-total-count", "x-total", "total-count"];

function headersOf(headers: Pick<Headers, "get"> | undefined) {
  const get = (name: string) => headers?.get(name) ?? undefined;
  const { target, odd } = nextLink(get("link"));
  const following = get("x-next-page")?.trim();
  const [, inRange] = /^\w+ [\d*-]+\/(\d{1,15})$/.exec(get("content-range") ?? "") ?? [];
  const numbers = [...TOTALS.map(get), inRange].filter((text) => text !== undefined && /^\d{1,15}$/.test(text));
  return {
    more: (following ?? "") !== "" || get("x-has-more") === "true",
    end: following === "" || get("x-has-more") === "false",
    link: target !== undefined ? "next" : odd ? "odd" : undefined,
    totals: numbers.map(Number),
  } as const;
}
