import { type ConnectorContext, ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import { bodyOf, callApi, type JsonApi, type JsonRequest } from "./json-api.js";

/** The longest query of a link that is followed. */
const MAX_QUERY = 2_000;

/** Where a list goes on. */
export const LinkPosition = z.object({
  query: z.string(),
  /** Id of the last item of that page which was read already, where a page was larger than asked for. */
  after: z.string().optional(),
});
export type LinkPosition = z.output<typeof LinkPosition>;

export interface LinkPage {
  readonly items: readonly unknown[];
  readonly next: LinkPosition | undefined;
}

const Id = z.object({ id: z.string() });

/**
 * At most `limit` items of a list of an API that links to its next page in the header `Link`. A link to another origin
 * or path is refused, so that a target cannot choose where the credentials go.
 */
export async function readLinkPage(
  ctx: Pick<ConnectorContext, "fetch">,
  api: JsonApi,
  { what, path }: Pick<JsonRequest, "what" | "path">,
  { query, after }: LinkPosition,
  limit: number,
): Promise<LinkPage> {
  const response = await callApi(ctx, api, { what, path, query: new URLSearchParams(query) });
  const { url, headers } = response;
  const all = await bodyOf(response, what, z.array(z.unknown()));
  const from = after === undefined ? 0 : all.findIndex((item) => idOf(item) === after) + 1;
  const items = all.slice(from, from + limit);
  const last = idOf(items.at(-1));
  if (from + limit < all.length && last !== undefined) return { items, next: { query, after: last } };
  const link = nextLink(headers.get("link") ?? "");
  return { items: all.slice(from), next: link === undefined ? undefined : { query: queryOf(link, new URL(url)) } };
}

const idOf = (item: unknown) => Id.safeParse(item).data?.id;

function nextLink(header: string): string | undefined {
  const links = header.matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, address, parameters = ""] of links)
    if (/;\s*rel="?next"?\s*(?:[;,]|$)/i.test(parameters)) return address;
  return undefined;
}

function queryOf(link: string, asked: URL): string {
  const next = URL.canParse(link, asked.href) ? new URL(link, asked) : undefined;
  const query = next?.search.slice(1) ?? "";
  const same = next?.origin === asked.origin && next.pathname === asked.pathname;
  if (same && query !== "" && query.length <= MAX_QUERY) return query;
  throw new ConnectorError("invalid", "The target links to a next page elsewhere.", { code: "foreign_link" });
}
