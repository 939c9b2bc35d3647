import {
  ConnectorError,
  INCOMPLETE_REASONS,
  type IncompleteReason,
  type ListingEnd,
  listingEnd,
  type Page,
  type PageRequest,
} from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { bodyOf, callApi, type JsonApi } from "../json-api.js";
import type { Parts } from "../parts.js";
import { type Members, sift } from "../sift.js";
import type { Provider } from "./manifest.js";

/** A number of items. Some providers write it as a text. */
const Count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const Answer = z.looseObject({
  totalResults: Count,
  startIndex: Count.nullish(),
  Resources: z.array(z.unknown()).nullish(),
});

/** A part of a listing by position, from 1. */
interface Part {
  readonly path: "Users" | "Groups";
  readonly query: Readonly<Record<string, string>>;
  readonly start: number;
  readonly count: number;
}

/** A part as a provider gave it. */
interface GivenPart {
  readonly total: number;
  readonly items: readonly unknown[];
  readonly body: z.output<typeof Answer>;
  readonly headers: Response["headers"];
}

/** What of a part is there. Providers may give fewer items than asked for, or ignore the position and give all. */
export async function readPart(ctx: Provider, api: JsonApi, { path, query, start, count }: Part): Promise<GivenPart> {
  const what = `Listing ${path.toLowerCase()}`;
  const asked = { ...query, startIndex: String(start), count: String(count) };
  const response = await callApi(ctx, api, { what, path: [path], query: asked });
  const { headers } = response;
  const body = await bodyOf(response, what, Answer);
  const skipped = start - Math.max(1, body.startIndex ?? start);
  if (skipped < 0)
    throw new ConnectorError("invalid", `${what} failed: the target answered with a later part than was asked for.`, {
      code: "wrong_part",
    });
  const items = (body.Resources ?? []).slice(skipped, skipped + count);
  return { total: body.totalResults, items, body, headers };
}

/** Where a listing by positions goes on. */
export const Position = z.object({
  start: z.int().min(1),
  /** Items in all, as the provider has counted them so far. */
  total: z.int().min(0).nullable(),
  /** Why something may have been left out so far. */
  doubt: z.enum(INCOMPLETE_REASONS).nullable(),
});
export type Position = z.output<typeof Position>;

export const FIRST: Position = { start: 1, total: null, doubt: null };

/** A part of a listing, with where it goes on, or whether it is whole. */
type Read = { readonly items: readonly unknown[] } & ({ readonly next: Position } | { readonly end: ListingEnd });

/**
 * Reads the part of a listing at a position. Items that come or go between two parts shift the others, so a listing
 * whose total changes is not whole. A total that is the number of this part's items may count this part only: then the
 * provider is asked for what comes after it.
 */
export async function readOn(
  ctx: Provider,
  api: JsonApi,
  part: Pick<Part, "path" | "query" | "count">,
  { start, total: before, doubt }: Position,
): Promise<Read> {
  const { total, items, body, headers } = await readPart(ctx, api, { ...part, start });
  const read = start - 1 + items.length;
  const changed = before === null || before === total ? doubt : (doubt ?? "changed");
  const onwards = (why: IncompleteReason | null): Read => ({ items, next: { start: read + 1, total, doubt: why } });
  if (items.length > 0 && read < total) return onwards(changed);
  if (items.length > 0 && total === items.length) {
    const behind = await readPart(ctx, api, { ...part, start: read + 1 });
    const known = new Set(items.map(idOf));
    if (behind.items.some((item) => !known.has(idOf(item)))) return onwards(changed ?? "count");
    // It is given the same again, and so takes no notice of positions.
    if (behind.items.length >= part.count)
      return { items, end: listingEnd({ entries: items.length, before: "repeated" }) };
    return { items, end: listingEnd({ entries: items.length, body: beside(body), headers, before: changed }) };
  }
  const last = { entries: items.length, read, body: beside(body), headers, before: changed };
  return { items, end: listingEnd(items.length > 0 ? { ...last, asked: part.count } : last) };
}

const Id = z.object({ id: z.string() });
const idOf = (item: unknown) => Id.safeParse(item).data?.id;

/** The members of an answer that say something of the listing. How many items a part was to have is not one of them. */
function beside({ itemsPerPage: _size, startIndex: _at, Resources: _items, ...body }: z.output<typeof Answer>) {
  return body;
}

interface Listing<T> extends Pick<Part, "path" | "query"> {
  readonly read: (id: string, record: Members, parts: Parts) => T;
}

/** A page of a listing. */
export async function listPage<T>(
  ctx: Provider,
  api: JsonApi,
  { path, query, read }: Listing<T>,
  { cursor, limit }: PageRequest,
): Promise<Page<T>> {
  const at = cursor === undefined ? FIRST : parseCursor(Position, cursor);
  const part = await readOn(ctx, api, { path, query, count: limit }, at);
  const page = sift(part.items, read);
  if ("next" in part) return { ...page, nextCursor: JSON.stringify(part.next), complete: false };
  return { ...page, ...part.end };
}
