import { createHash } from "node:crypto";
import { EventLoopYielder } from "#store/event-loop.js";
import { foreignPath, isStorable } from "#store/storable.js";
import { ConnectorError } from "../error.js";
import type { LeftOutPart, Page, PageRequest, RejectedItem } from "../page.js";
import type { IncompleteReason } from "../whole/reasons.js";

/** Limits of one listing, over all of its pages. `bytes`: of its items as JSON. */
export const LISTING = { pages: 10_000, pageSize: 200, items: 1_000_000, bytes: 268_435_456 } as const;

/** What is remembered of the way through a listing, however many walks it takes. */
export interface Trail {
  readonly pages: number;
  readonly items: number;
  readonly bytes: number;
  /** A cursor that was met on the way. One that comes again leads in a circle. */
  readonly mark: string | null;
  /** Short digests of the latest pages, by which one that comes again is known. */
  readonly seen?: string | undefined;
  /** Pages that have come again. */
  readonly repeats?: number | undefined;
  /** Entries that cannot be used. */
  readonly rejected?: number | undefined;
}

export const NO_TRAIL: Trail = { pages: 0, items: 0, bytes: 0, mark: null };

/** Characters of the digest of a page, and pages that are remembered. */
const DIGEST = { length: 12, pages: 64 };
/** Pages that may come again before a listing counts as one that leads in a circle. */
const REPEATS = 3;

const UNSTORABLE = "It is nested too deep, or has a text or value that cannot be kept.";

/** One page of a listing, checked. An item that not every store can keep is a rejected one. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  /** Where the next page begins. `null` after the last one. */
  readonly cursor: string | null;
  readonly warnings: readonly LeftOutPart[];
  /** The listing is whole. */
  readonly complete: boolean;
  /** Why it is not whole, after the last page. */
  readonly incomplete: IncompleteReason | null;
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
    const usable = await usableOf(page.items, LISTING.bytes - trail.bytes);
    const { items } = usable;
    const unusable = Array.from({ length: page.items.length - items.length }, () => ({ reason: UNSTORABLE }));
    const rejected = [...(page.rejected ?? []), ...unusable];
    trail = longer(trail, usable, { items: page.items.length, rejected: rejected.length }, next);
    if ((trail.repeats ?? 0) > REPEATS) throw wrong("pagination_loop", "The target's pages come again and again.");
    if (trail.items > LISTING.items || trail.bytes > LISTING.bytes)
      throw wrong("too_many", "The target lists more than is read.");
    const incomplete = next === null ? reasonOf(page, trail) : null;
    const complete = next === null && incomplete === null;
    yield { items, rejected, warnings: page.warnings ?? [], cursor: next, complete, incomplete, trail };
    if (next === null) return;
    cursor = next;
  }
  throw wrong("too_many", "The target's listing does not end.");
}

/** The items that every store can keep, in turns of the event loop, and how long all of them are. Stops soon after `most` bytes. */
async function usableOf<T>(all: readonly T[], most: number): Promise<ReadPage<T>> {
  const [items, yielder, hash] = [[] as T[], new EventLoopYielder(), createHash("sha256")];
  let bytes = 0;
  for (const item of all) {
    if (yielder.isDue) await yielder.pass();
    if (isStorable(item) && foreignPath(item) === undefined) {
      items.push(item);
      const text = JSON.stringify(item) ?? "";
      hash.update(`${text}\n`);
      bytes += Buffer.byteLength(text);
    }
    if (bytes > most) break;
  }
  return { items, bytes, digest: items.length > 0 ? hash.digest("hex").slice(0, DIGEST.length) : "" };
}

interface ReadPage<T> {
  readonly items: readonly T[];
  readonly bytes: number;
  /** A short digest of the items; empty where there are none. */
  readonly digest: string;
}

/**
 * The mark is moved after 1, 2, 4, 8 and so on pages. So it stands within any circle soon, and one cursor is kept
 * instead of all (R. P. Brent, 1980).
 */
function longer(
  trail: Trail,
  { bytes, digest }: ReadPage<unknown>,
  given: { readonly items: number; readonly rejected: number },
  cursor: string | null,
): Trail {
  const pages = trail.pages + 1;
  const moves = (pages & trail.pages) === 0;
  const { seen = "" } = trail;
  const rejected = (trail.rejected ?? 0) + given.rejected;
  const repeats = (trail.repeats ?? 0) + (digest !== "" && pagesIn(seen).includes(digest) ? 1 : 0);
  return {
    pages,
    items: trail.items + given.items,
    bytes: trail.bytes + bytes,
    mark: moves ? cursor : trail.mark,
    seen: `${seen}${digest}`.slice(-DIGEST.length * DIGEST.pages),
    ...(repeats > 0 ? { repeats } : {}),
    ...(rejected > 0 ? { rejected } : {}),
  };
}

const pagesIn = (seen: string): readonly string[] => seen.match(new RegExp(`.{${DIGEST.length}}`, "g")) ?? [];

/**
 * A page that comes again stands in the place of another one, and an entry that cannot be used may be any, whatever the
 * connector says of the end.
 */
function reasonOf(page: Page<unknown>, { repeats, rejected }: Trail): IncompleteReason | null {
  if (!page.complete) return page.incomplete ?? "unknown";
  return repeats ? "repeated" : rejected ? "rejected" : null;
}

const wrong = (code: string, message: string) => new ConnectorError("invalid", message, { code });
