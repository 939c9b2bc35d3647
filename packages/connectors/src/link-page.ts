import {
  type ConnectorContext,
  ConnectorError,
  type ListingEnd,
  listingEnd,
  nextLink,
  notWhole,
  WHOLE,
} from "@reeve/core/connectors";
import { z } from "zod";
import { bodyOf, callApi, type JsonApi, type JsonRequest } from "./json-api.js";
import { settledEnd } from "./settled-end.js";

/** The longest query of a link that is followed. */
const MAX_QUERY = 2_000;

/** Where a list goes on. */
export const LinkPosition = z.object({
  query: z.string(),
  /** Id of the last item of that page which was read already, where a page was larger than asked for. */
  after: z.string().optional(),
  /** Items of the pages before. */
  read: z.int().min(0).default(0),
});
export type LinkPosition = z.output<typeof LinkPosition>;

export interface LinkPage {
  readonly items: readonly unknown[];
  readonly next: LinkPosition | undefined;
  /** Whether the list is whole with a page that has no next one. */
  readonly end: ListingEnd;
}

const Id = z.object({ id: z.string() });

type Fetching = Pick<ConnectorContext, "fetch">;
type Place = Pick<JsonRequest, "what" | "path">;

/**
 * At most `limit` items of a list of an API that links to its next page in the header `Link`. A link to another origin
 * or path is refused, so that a target cannot choose where the credentials go.
 */
export async function readLinkPage(
  ctx: Fetching,
  api: JsonApi,
  place: Place,
  { query, after, read: before }: LinkPosition,
  limit: number,
): Promise<LinkPage> {
  const { all, link, address, headers } = await listed(ctx, api, place, query);
  const from = after === undefined ? 0 : all.findIndex((item) => idOf(item) === after) + 1;
  const more = from + limit < all.length;
  // The page is cut after the last item that can be found again.
  const last = more ? all.slice(from, from + limit).findLastIndex((item) => idOf(item) !== undefined) : -1;
  const lastId = idOf(all[from + last]);
  if (last >= 0 && lastId !== undefined)
    return { items: all.slice(from, from + last + 1), next: { query, after: lastId, read: before }, end: WHOLE };
  const read = before + all.length;
  if (link !== undefined) return { items: all.slice(from), next: { query: queryOf(link, address), read }, end: WHOLE };
  const asked = Number(new URLSearchParams(query).get("limit") ?? Number.POSITIVE_INFINITY);
  const end = await settledEnd(listingEnd({ entries: all.length, read, asked, headers }), asked, async (size) => {
    const changed = new URLSearchParams(query);
    changed.set("limit", String(size));
    const again = await listed(ctx, api, place, changed.toString());
    return { entries: again.all.length, goesOn: again.link !== undefined };
  });
  // The item that this page was to go on after is gone, so that others may have been left out.
  const lost = after !== undefined && from === 0;
  return { items: all.slice(from), next: undefined, end: lost ? notWhole("changed") : end };
}

async function listed(ctx: Fetching, api: JsonApi, { what, path }: Place, query: string) {
  const response = await callApi(ctx, api, { what, path, query: new URLSearchParams(query) });
  const { url, headers } = response;
  const all = await bodyOf(response, what, z.array(z.unknown()));
  return { all, link: nextLink(headers.get("link")).target, address: new URL(url), headers };
}

const idOf = (item: unknown) => Id.safeParse(item).data?.id;

function queryOf(link: string, asked: URL): string {
  const next = URL.canParse(link, asked.href) ? new URL(link, asked) : undefined;
  const query = next?.search.slice(1) ?? "";
  const same = next?.origin === asked.origin && next.pathname === asked.pathname;
  if (same && query !== "" && query.length <= MAX_QUERY) return query;
  throw new ConnectorError("invalid", "The target links to a next page elsewhere.", { code: "foreign_link" });
}
