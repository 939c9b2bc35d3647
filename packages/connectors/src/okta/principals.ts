import type { Principal, PrincipalLookup, PrincipalQuery } from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import { type JsonApi, readApi } from "../json-api.js";
import { beginningOf, lookupOf, orNone, sameName } from "../lookup.js";
import type { Organisation } from "./manifest.js";
import { apiOf, listOf } from "./organisation.js";

/** What tells somebody by a name. */
const Group = z.object({ id: Text(100), profile: z.object({ name: Text(500) }) });
type Group = z.output<typeof Group>;
const User = z.object({ id: Text(100), profile: z.object({ login: Text(200) }) });
type User = z.output<typeof User>;

/** Items of a listing that are looked through. */
const MOST = 200;
/** Ids and logins that are the same however an address is decoded. Others are searched for. */
const PLAIN = /^[\w.@+'-]*\w[\w.@+'-]*$/;

/** A user by its id, its login or what of that comes before the `@`; a group by its id or name. */
export async function findPrincipal(ctx: Organisation, { type, named }: PrincipalQuery): Promise<PrincipalLookup> {
  const api = await apiOf(ctx);
  return type === "group" ? findGroup(ctx, api, named) : findUser(ctx, api, named);
}

async function findUser(ctx: Organisation, api: JsonApi, named: string): Promise<PrincipalLookup> {
  const found = PLAIN.test(named)
    ? { items: [await itemAt(ctx, api, ["users", named], User)], whole: true }
    : await listed(ctx, api, "users", { search: `profile.login eq ${JSON.stringify(named)}` }, User);
  const isMeant = ({ id, profile: { login } }: User) =>
    id === named || sameName(login, named) || sameName(login.split("@", 1)[0] ?? "", named);
  const principalOf = ({ id, profile: { login } }: User): Principal => ({
    type: "user",
    externalId: id,
    displayName: login,
  });
  // Okta gives whoever asks for `me`, and may give somebody whose login another one begins with.
  const fitting = found.items.filter((user) => user !== undefined && isMeant(user)) as readonly User[];
  if (fitting.length === 0 && !found.whole) return { outcome: "unknown" };
  return lookupOf(fitting.map(principalOf), () => others(ctx, api, "users", { named, shape: User, principalOf }));
}

async function findGroup(ctx: Organisation, api: JsonApi, named: string): Promise<PrincipalLookup> {
  const principalOf = ({ id, profile: { name } }: Group): Principal => ({
    type: "group",
    externalId: id,
    displayName: name,
  });
  const byId = await itemAt(ctx, api, ["groups", named], Group);
  if (byId?.id === named) return { outcome: "found", principal: principalOf(byId) };
  const alike = await listed(ctx, api, "groups", { q: named }, Group);
  if (!alike.whole) return { outcome: "unknown" };
  const fitting = alike.items.filter(({ profile: { name } }) => name === named).map(principalOf);
  return lookupOf(fitting, () => others(ctx, api, "groups", { named, shape: Group, principalOf }));
}

function itemAt<T>(ctx: Organisation, api: JsonApi, path: readonly string[], shape: z.ZodType<T>) {
  const request = { what: "Reading the principal", path: ["api", "v1", ...path] };
  return orNone(readApi(ctx, api, request, shape));
}

interface Others<T> {
  readonly named: string;
  readonly shape: z.ZodType<T>;
  readonly principalOf: (one: T) => Principal;
}

async function others<T>(ctx: Organisation, api: JsonApi, kind: "users" | "groups", given: Others<T>) {
  const { named, shape, principalOf } = given;
  const alike = await listed(ctx, api, kind, { q: beginningOf(named) }, shape);
  const { items } = alike.items.length > 0 ? alike : await listed(ctx, api, kind, {}, shape);
  return items.map(principalOf);
}

/** Users or groups that a query gives. */
async function listed<T>(
  ctx: Organisation,
  api: JsonApi,
  kind: "users" | "groups",
  first: Readonly<Record<string, string>>,
  shape: z.ZodType<T>,
): Promise<{ readonly items: readonly T[]; readonly whole: boolean }> {
  const page = await orNone(listOf(ctx, api, [kind], { first, limit: MOST }));
  const items = (page?.items ?? []).flatMap((item) => shape.safeParse(item).data ?? []);
  // One that cannot be read may be the one that is named.
  const isRead = page !== undefined && items.length === page.items.length;
  return { items, whole: isRead && page.next === undefined && page.end.complete };
}
