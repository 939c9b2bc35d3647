import { hoursMs } from "#ports/durations.js";
import type { SecretBox } from "#ports/secret-box.js";
import { SchemaNotes } from "#schema/lazy-schema.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import type { EventPage } from "#store/event-log.js";
import type { Position } from "#store/find-query.js";
import type { Listed } from "#store/store.js";
import { eventText } from "../events/events.js";
import { ReeveError } from "../http/errors.js";
import { parameterError } from "../http/target.js";
import { Page } from "../records/outcome.js";

export const DEFAULT_SIZE = 25;
export const MAX_SIZE = 100;
/** Rows reachable by page number. Only a cursor goes further. */
export const PAGE_WINDOW = 10_000;
/** The most characters of the items of one page. What does not fit is behind its cursor. */
export const PAGE_BYTES = 4 * 1_024 * 1_024;
const CURSOR_LIFETIME = hoursMs(24);

/** The query of every list: `page` and `size`, or `cursor`. */
export const pageQuery = {
  page: z.int().min(0).optional().meta({ description: "Zero-based page number; 0 when absent.", example: 0 }),
  size: z
    .int()
    .min(1)
    .optional()
    .meta({
      description: `Items a page; ${DEFAULT_SIZE} when absent, more than ${MAX_SIZE} gives ${MAX_SIZE}.`,
      example: 25,
    }),
  cursor: z.string().max(4_096).optional().meta({ description: "`nextCursor` of the page before; instead of `page`." }),
};

export const PageQuery = z.strictObject(pageQuery);
export type PageQuery = z.output<typeof PageQuery>;

/** A list of records: items in the requested order, and the cursor of the next page. */
export function pageOf<T extends z.ZodType>(item: T) {
  const page = z.object({
    items: z.array(item).meta({ description: "Records of this page, in order." }),
    page: z.int().min(0).meta({ description: "Zero-based page number." }),
    size: z.int().min(1).max(MAX_SIZE).meta({ description: "Items a page." }),
    totalItems: z.int().min(0).meta({ description: "Items of all pages." }),
    totalPages: z.int().min(0).nullable().meta({ description: "`null` where the total is a lower bound." }),
    totalRelation: z
      .enum(["exact", "atLeast"])
      .meta({ description: "`atLeast`: counting stopped at its bound, and there may be more." }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: "Where the list goes on, also behind a page that is short or empty; `null` at its end." }),
  });
  pages.set(page, true);
  return page;
}

const pages = new SchemaNotes<true>();

/** Whether a schema is that of a list. */
export function isPageSchema(schema: object | undefined): boolean {
  return schema !== undefined && pages.get(schema) === true;
}

/** The part of a list that a query's page or cursor selects. */
export interface Window {
  readonly page: number;
  readonly size: number;
  readonly after?: Position;
}

/** Reads page, size and cursor. A cursor works only for the tenant, list, filters and order it was sealed for. */
export function readWindow(query: PageQuery, scope: string, box: SecretBox, now: number): Window {
  const size = Math.min(query.size ?? DEFAULT_SIZE, MAX_SIZE);
  if (query.cursor === undefined) {
    const page = query.page ?? 0;
    if ((page + 1) * size > PAGE_WINDOW) {
      throw parameterError(
        "page",
        "page_window_exceeded",
        `only the first ${PAGE_WINDOW} items have pages; follow nextCursor.`,
      );
    }
    return { page, size };
  }
  if (query.page !== undefined) throw parameterError("cursor", "invalid_parameter", "use either `page` or `cursor`.");
  const opened = box.open(query.cursor, `cursor ${scope}`);
  if (opened === undefined) throw new ReeveError("invalid_cursor");
  const [expires, page, after] = JSON.parse(opened) as [number, number, Position];
  if (expires < now) throw new ReeveError("invalid_cursor", "The cursor has expired.");
  return { page, size, after };
}

/** Binds a cursor to its tenant, list, filters and order. */
export function cursorScope(tenantId: string, list: string, filters: unknown): string {
  return sha256(JSON.stringify([tenantId, list, filters]));
}

export function sealCursor(
  next: Position | undefined,
  page: number,
  scope: string,
  box: SecretBox,
  now: number,
): string | null {
  if (!next) return null;
  return box.seal(JSON.stringify([now + CURSOR_LIFETIME, page + 1, next]), `cursor ${scope}`);
}

/** The part of a window that a page within the bound of bytes has, when a page of `size` items has `bytes`. */
export function smallerWindow(window: Window, size: number, bytes: number): Window {
  const most = Math.min(Math.floor((size * PAGE_BYTES) / bytes), size - 1);
  let part = Math.max(most, 1);
  // A page by number begins where whole parts do.
  while (window.size % part !== 0) part -= 1;
  return { ...window, size: part, page: (window.page * window.size) / part };
}

/** How many of the first texts one page holds within the bound of bytes: at least one, if there is any. */
export function fittingTexts(texts: readonly string[]): number {
  let bytes = 0;
  const over = texts.findIndex((text) => {
    bytes += text.length;
    return bytes > PAGE_BYTES;
  });
  return over < 0 ? texts.length : Math.max(over, 1);
}

/** A page of listed records, ready to be served. */
export function recordPage(listed: Listed, window: Window, scope: string, box: SecretBox, now: number): Page {
  const cursor = sealCursor(listed.next, window.page, scope, box, now);
  return new Page(listed.items, window.page, window.size, listed.total, cursor);
}

/** A page of events, ready to be served. */
export function eventPage(found: EventPage, window: Window, scope: string, box: SecretBox, now: number): Page {
  const texts = found.events.map(eventText);
  const fitting = fittingTexts(texts);
  const follows = fitting < texts.length ? found.events[fitting - 1]?.sequence : found.next;
  const next = follows === undefined ? undefined : { by: follows, id: "" };
  const cursor = sealCursor(next, window.page, scope, box, now);
  return new Page(`[${texts.slice(0, fitting).join(",")}]`, window.page, window.size, found.total, cursor);
}

/** A page of a list that is wholly in memory. */
export function arrayPage(items: readonly unknown[], window: Window, scope: string, box: SecretBox, now: number): Page {
  const start = window.after ? Number(window.after.by) : window.page * window.size;
  const end = start + window.size;
  const next = end < items.length ? { by: end, id: "" } : undefined;
  const cursor = sealCursor(next, window.page, scope, box, now);
  const total = { count: items.length, exact: true };
  return new Page(JSON.stringify(items.slice(start, end)), window.page, window.size, total, cursor);
}
