import { EventLoopYielder } from "../../kernel/async/event-loop.js";
import { foreignPath, isStorable } from "../../store/storable.js";
import { ConnectorError } from "../error.js";
import type { Page, PageRequest, RejectedItem } from "../page.js";

/** Limits of one listing, over all of its pages. `bytes`: of its items as JSON. */
export const LISTING = { pages: 10_000, pageSize: 200, items: 1_000_000, bytes: 268_435_456 } as const;

/** What is remembered of the way through a listing, however many walks it takes. */
export interface Trail {
  readonly pages: number;
  readonly items: number;
  readonly bytes: number;
  /** A cursor that was met on the way. One that comes again leads in a circle. */
  readonly mark: string | null;
}

export const NO_TRAIL: Trail = { pages: 0, items: 0, bytes: 0, mark: null };

const UNSTORABLE = "It is nested too deep, or has a text or value that cannot be kept.";

/** One page of a listing, checked. An item that not every store can keep is a rejected one. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  /** Where the next page begins. `null` after the last one. */
  readonly cursor: string | null;
  /** The listing is whole. */
  readonly complete: boolean;
  readonly trail: Trail;
}

/** Where a listing goes on, and the limit of each page. */
export interface ListingStart {
  readonly cursor?: string | null;
  /** Of the page before; none when absent. */
  readonly trail?: Trail;
  readonly limit?: number;
  readonly since?: Date;
}

/**
 * Walks a listing page by page, and holds one page in memory. Rejects with `ConnectorError`: `invalid` with the code
 * `pagination_loop` where the pages lead in a circle, `page_too_large` or `too_many`, which stands for items, pages and bytes.
 */
export async function* walk<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  { cursor: first = null, trail: before = NO_TRAIL, limit = LISTING.pageSize, since }: ListingStart = {},
): AsyncGenerator<ListedPage<T>, void, undefined> {
  let [cursor, trail] = [first, before];
  while (trail.pages < LISTING.pages) {
    const page = await read({ limit, ...(cursor === null ? {} : { cursor }), ...(since ? { since } : {}) });
    if (page.items.length > limit * 2) throw wrong("page_too_large", "The target's page is larger than was asked for.");
    const next = page.nextCursor ?? null;
    if (next !== null && (next === cursor || next === trail.mark))
      throw wrong("pagination_loop", "The target's pages lead back to themselves.");
    if (next !== null && !isStorable(next)) throw wrong("cursor", "The target's listing goes on at no place.");
    const { items, bytes } = await usableOf(page.items, LISTING.bytes - trail.bytes);
    const unusable = Array.from({ length: page.items.length - items.length }, () => ({ reason: UNSTORABLE }));
    trail = longer(trail, page.items.length, bytes, next);
    if (trail.items > LISTING.items || trail.bytes > LISTING.bytes)
      throw wrong("too_many", "The target lists more than is read.");
    const complete = next === null && page.complete;
    yield { items, rejected: [...(page.rejected ?? []), ...unusable], cursor: next, complete, trail };
    if (next === null) return;
    cursor = next;
  }
  throw wrong("too_many", "The target's listing does not end.");
}

/** The items that every store can keep, in turns of the event loop, and how long all of them are. Stops soon after `most` bytes. */
async function usableOf<T>(all: readonly T[], most: number): Promise<{ readonly items: T[]; readonly bytes: number }> {
  const [items, yielder] = [[] as T[], new EventLoopYielder()];
  let bytes = 0;
  for (const item of all) {
    if (yielder.isDue) await yielder.pass();
    if (isStorable(item) && foreignPath(item) === undefined) {
      items.push(item);
      bytes += Buffer.byteLength(JSON.stringify(item) ?? "");
    }
    if (bytes > most) break;
  }
  return { items, bytes };
}

/**
 * The mark is moved after 1, 2, 4, 8 and so on pages. So it stands within any circle soon, and one cursor is kept
 * instead of all (R. P. Brent, 1980).
 */
function longer(
  { pages: before, items, bytes, mark }: Trail,
  more: number,
  length: number,
  cursor: string | null,
): Trail {
  const pages = before + 1;
  const moves = (pages & before) === 0;
  return { pages, items: items + more, bytes: bytes + length, mark: moves ? cursor : mark };
}

const wrong = (code: string, message: string) => new ConnectorError("invalid", message, { code });
