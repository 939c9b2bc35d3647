import type { Principal, PrincipalLookup, PrincipalQuery } from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import { type JsonApi, readApi } from "../json-api.js";
import { beginningOf, lookupOf, orNone, sameName } from "../lookup.js";
import { readPart } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf } from "./provider.js";

const Name = Text(200).nullish().catch(null);
const Shown = z.object({ id: Text(500), userName: Name, displayName: Name });
type Shown = z.output<typeof Shown>;

/** Items of a listing that are looked through. */
const MOST = 100;

/** A kind of principals: where they are, and the attribute that names them. */
const KINDS = {
  user: { type: "user", path: "Users", attribute: "userName", attributes: "userName,displayName" },
  group: { type: "group", path: "Groups", attribute: "displayName", attributes: "displayName" },
} as const;

/** A user by its id or `userName`, or a group by its id or `displayName`. */
export async function findPrincipal(ctx: Provider, { type, named }: PrincipalQuery): Promise<PrincipalLookup> {
  const api = await apiOf(ctx);
  const kind = KINDS[type === "group" ? "group" : "user"];
  const { path, attribute, attributes } = kind;
  const principalOf = ({ id, userName, displayName }: Shown): Principal => {
    const name = kind.type === "user" ? (userName ?? displayName) : displayName;
    return { type: kind.type, externalId: id, ...(name ? { displayName: name } : {}) };
  };
  const list = async (filter?: string) => {
    const query = { attributes, ...(filter === undefined ? {} : { filter }) };
    const part = await orNone(readPart(ctx, api, { path, query, start: 1, count: MOST }));
    const items = (part?.items ?? []).flatMap((item) => Shown.safeParse(item).data ?? []);
    return { items, whole: part !== undefined && items.length >= part.total, isRead: part !== undefined };
  };
  const byId = await itemWith(ctx, api, [path, named], attributes);
  if (byId?.id === named) return { outcome: "found", principal: principalOf(byId) };
  const byName = await list(`${attribute} eq ${JSON.stringify(named)}`);
  // Providers that read no filters are looked through, as far as one listing goes.
  const searched = byName.isRead ? byName : await list();
  const fitting = searched.items.filter((one) => sameName(one[attribute] ?? "", named));
  if (fitting.length === 0 && !searched.whole) return { outcome: "unknown" };
  return lookupOf(fitting.map(principalOf), async () => {
    const alike = await list(`${attribute} sw ${JSON.stringify(beginningOf(named))}`);
    return (alike.items.length > 0 ? alike : await list()).items.map(principalOf);
  });
}

function itemWith(ctx: Provider, api: JsonApi, path: readonly string[], attributes: string) {
  const what = "Reading the principal";
  return orNone(readApi(ctx, api, { what, path, query: { attributes } }, Shown));
}
