import { PLATFORM_TENANT, PROVIDER_SUBDOMAIN, settings, tenants } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { StoreError } from "#store/store-error.js";
import { addUser } from "../users/operations.js";
import { passwordWeakness } from "../users/rules.js";
import { foldUsername, Username, users } from "../users/schema.js";
import { createTenant, founder } from "./create-tenant.js";

const PROVIDER = { name: "Provider", subdomain: PROVIDER_SUBDOMAIN } as const;

export interface ProviderAdmin {
  readonly username: string;
  readonly password: string;
}

/**
 * Why a provider administrator cannot have this user name and password. `undefined` when it can. Does not read the
 * store.
 */
export function providerAdminFault({ username, password }: ProviderAdmin, minLength: number): string | undefined {
  if (!Username.safeParse(username).success) return "The user name must be an e-mail address.";
  return passwordWeakness(password, [username], minLength);
}

/**
 * Creates the first administrator of the provider's own tenant, and that tenant, unless they exist. An existing
 * administrator keeps the password.
 */
export async function ensureProviderAdmin(env: Environment, given: ProviderAdmin): Promise<"created" | "present"> {
  try {
    return await ensure(env, given);
  } catch (error) {
    // Another process created it at the same time.
    if (StoreError.is(error) && error.code === "duplicate") return ensure(env, given);
    throw error;
  }
}

async function ensure(env: Environment, given: ProviderAdmin): Promise<"created" | "present"> {
  const fault = providerAdminFault(given, env.use(settings).get("passwords.minLength"));
  if (fault !== undefined) throw new ReeveError("invalid_request", fault);
  const tenant = await env.store.platform.lookup(tenants, "subdomain", { subdomain: PROVIDER.subdomain });
  const username = foldUsername(given.username);
  if (tenant && (await env.store.forTenant(tenant.id).lookup(users, "username", { username }))) return "present";
  const ctx = systemContext(env, PLATFORM_TENANT, "req");
  const passwordHash = await env.hasher.hash(given.password);
  const owner = { username: given.username, passwordHash, roles: ["provider_admin"] };
  if (tenant) await ctx.write((inner) => addUser(inner, owner), founder(tenant.id));
  else await createTenant(ctx, { tenantId: ctx.newId("tnt"), ...PROVIDER }, (inner) => addUser(inner, owner));
  return "created";
}
