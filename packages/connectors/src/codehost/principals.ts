import type { Principal, PrincipalLookup, PrincipalQuery } from "@reeve/core/connectors";
import { z } from "zod";
import { beginningOf, lookupOf, orNone, sameName } from "../lookup.js";
import { type Api, apiOf } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { orMissing, userOf } from "./lookups.js";
import { Account } from "./shapes.js";

const LOGIN = /^[A-Za-z0-9][\w-]{0,99}(\[bot\])?$/;
const NUMBER = /^[1-9]\d{0,14}$/;

const Found = z.object({ items: z.array(z.unknown()) });

/** A user by its number or its login. Teams are resources here, and nothing is granted to them. */
export async function findPrincipal(ctx: CodeHost, { type, named }: PrincipalQuery): Promise<PrincipalLookup> {
  if (type === "group") return { outcome: "unknown" };
  const api = await apiOf(ctx);
  const principalOf = ({ id, login }: Account): Principal => ({ type, externalId: String(id), displayName: login });
  const found = await Promise.all([withNumber(api, named), withLogin(api, named)]);
  const accounts = new Map(found.flatMap((account) => (account ? [[account.id, account]] : [])));
  const users = [...accounts.values()].filter((account) => account.type !== "Organization");
  return lookupOf(users.map(principalOf), async () => (await others(api, named)).map(principalOf));
}

async function withNumber(api: Api, named: string): Promise<Account | undefined> {
  return NUMBER.test(named) ? orMissing(userOf(api, { type: "user", externalId: named })) : undefined;
}

async function withLogin(api: Api, named: string): Promise<Account | undefined> {
  if (!LOGIN.test(named)) return undefined;
  const account = await orNone(api.read("GET /users/{username}", { username: named }, Account));
  return account && sameName(account.login, named) ? account : undefined;
}

/** Users whose login begins alike, and the account of the token, which every code host shows. */
async function others(api: Api, named: string): Promise<readonly Account[]> {
  const beginning = beginningOf(named.replaceAll(/[^A-Za-z0-9]/g, ""));
  const q = `${beginning} in:login type:user`;
  const found = beginning === "" ? undefined : await orNone(api.read("GET /search/users", { q }, Found));
  const alike = (found?.items ?? []).flatMap((item) => Account.safeParse(item).data ?? []);
  return [...alike, await api.read("GET /user", {}, Account)];
}
