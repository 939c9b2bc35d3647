import { ConnectorError, type Page, type PageRequest } from "@reeve/core/connectors";
import { z } from "zod";
import { parseCursor } from "../cursor.js";
import { type JsonApi, readApi } from "../json-api.js";
import { sift, UNNAMED } from "../sift.js";
import type { Provider } from "./manifest.js";

const Answer = z.object({
  totalResults: z.int().min(0),
  startIndex: z.int().min(0).nullish(),
  Resources: z.array(z.unknown()).nullish(),
});

/** A part of a listing by position, from 1. */
interface Part {
  readonly path: "Users" | "Groups";
  readonly query: Readonly<Record<string, string>>;
  readonly start: number;
  readonly count: number;
}

/** What of a part is there. Providers may give fewer items than asked for, or ignore the position and give all. */
export async function readPart(ctx: Provider, api: JsonApi, { path, query, start, count }: Part) {
  const what = `Listing ${path.toLowerCase()}`;
  const asked = { ...query, startIndex: String(start), count: String(count) };
  const answer = await readApi(ctx, api, { what, path: [path], query: asked }, Answer);
  const skipped = start - Math.max(1, answer.startIndex ?? start);
  if (skipped < 0)
    throw new ConnectorError("invalid", `${what} failed: the target answered with a later part than was asked for.`, {
      code: "wrong_part",
    });
  return { total: answer.totalResults, items: (answer.Resources ?? []).slice(skipped, skipped + count) };
}

/** Where a listing goes on: position, and the total so far. `null` for a total that has changed. */
const Cursor = z.tuple([z.int().min(1), z.int().min(0).nullable()]);

interface Listing<T, U> extends Pick<Part, "path" | "query"> {
  readonly shape: z.ZodType<T>;
  readonly itemOf: (value: T) => U;
}

/**
 * A page of a listing. Items that come or go between two pages shift the others, so a listing whose total changes is
 * not complete.
 */
export async function listPage<T, U>(
  ctx: Provider,
  api: JsonApi,
  { path, query, shape, itemOf }: Listing<T, U>,
  { cursor, limit }: PageRequest,
): Promise<Page<U>> {
  const [start, before] = cursor === undefined ? [1, undefined] : parseCursor(Cursor, cursor);
  const { total, items } = await readPart(ctx, api, { path, query, start, count: limit });
  const same = before === undefined || before === total;
  const read = sift(items, shape, UNNAMED);
  const page = { items: read.items.map(itemOf), rejected: read.rejected };
  const next = start + items.length;
  if (items.length > 0 && next <= total)
    return { ...page, nextCursor: JSON.stringify([next, same ? total : null]), complete: false };
  return { ...page, complete: same && next > total };
}
