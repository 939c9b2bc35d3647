import { type ControlPlane, type Principal, ReeveError, type Store } from "@reeve/core";
import { collections } from "@reeve/core/reference";
import { Failure } from "../../failure.js";

/** Most tenants that are compared with a name. */
const PAGE = 500;

/** Who imports, as the options name them. */
export interface Importer {
  /** The id, subdomain or name of a tenant. */
  readonly tenant: string;
  /** The id or e-mail address of a user. */
  readonly user: string;
}

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly subdomain: string;
}

type Found = Awaited<ReturnType<Store["platform"]["find"]>>;

/** The principal of a tenant's user. Throws a `Failure` that says which of the two is not there. */
export async function findImporter(
  controlPlane: Pick<ControlPlane, "principalOf">,
  store: Store,
  { tenant, user }: Importer,
): Promise<Principal> {
  const tenantId = await tenantIdOf(store, tenant);
  const userId = await userIdOf(store, tenantId, user);
  try {
    return await controlPlane.principalOf(tenantId, userId);
  } catch (error) {
    if (!ReeveError.is(error) || error.code !== "invalid_token") throw error;
    throw new Failure(`the tenant ${tenant} has no active user ${user}; --user takes an id or an e-mail address`);
  }
}

async function tenantIdOf(store: Store, given: string): Promise<string> {
  const tenants = collectionOf("tenants");
  const byId = given.startsWith("tnt_") ? await store.forTenant(given).get(tenants, given) : undefined;
  const found = byId ?? (await store.platform.lookup(tenants, "subdomain", { subdomain: given.toLowerCase() }));
  if (found) return found.tenantId;
  const named = await tenantsNamed(store, given);
  const [only, ...others] = named;
  if (!only) throw new Failure(`there is no tenant "${given}"; --tenant takes an id, a subdomain or a name`);
  if (others.length === 0) return only.id;
  const subdomains = named.map(({ subdomain }) => subdomain).join(", ");
  throw new Failure(`${named.length} tenants are named "${given}"; say by --tenant which: ${subdomains}`);
}

async function tenantsNamed(store: Store, given: string): Promise<readonly Tenant[]> {
  const named: Tenant[] = [];
  let page: Found | undefined;
  do {
    page = await store.platform.find(collectionOf("tenants"), {
      size: PAGE,
      ...(page?.next ? { after: page.next } : {}),
    });
    const tenants = page.rows.map(({ value }) => value as unknown as Tenant);
    named.push(...tenants.filter(({ name }) => name.toLowerCase() === given.toLowerCase()));
  } while (page.next);
  return named;
}

async function userIdOf(store: Store, tenantId: string, given: string): Promise<string> {
  if (!given.includes("@")) return given;
  const username = given.normalize("NFC").toLowerCase();
  const found = await store.forTenant(tenantId).lookup(collectionOf("users"), "username", { username });
  return found?.id ?? given;
}

function collectionOf(name: string) {
  const found = collections.find((collection) => collection.name === name);
  if (!found) throw new Error(`there is no collection ${name}`);
  return found;
}
