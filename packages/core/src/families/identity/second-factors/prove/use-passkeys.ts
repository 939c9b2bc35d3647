import { tenants, tenantUrl } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { PasskeyEngine, PasskeySite, StoredPasskey } from "#ports/passkeys.js";
import type { SecondFactor } from "../schema.js";

/** The engine of passkeys. 501 without one. */
export function passkeysOf({ passkeys }: Pick<Environment, "passkeys">): PasskeyEngine {
  if (!passkeys) throw new ReeveError("not_configured", "The option `passkeys` is not set.");
  return passkeys;
}

/** The site of a tenant's passkeys: the host of the service, with pages there and at the tenant's subdomain. */
export async function passkeySite(env: Environment, tenantId: string): Promise<PasskeySite> {
  const { baseUrl } = env.options;
  const { hostname, origin } = new URL(baseUrl);
  const tenant = (await env.store.forTenant(tenantId).get(tenants, tenantId))?.value;
  const own = tenant ? [new URL(tenantUrl(baseUrl, tenant.subdomain)).origin] : [];
  return { id: hostname, name: hostname, origins: [...new Set([origin, ...own])] };
}

/** The passkeys among the factors of a person. */
export function passkeysAmong(factors: readonly SecondFactor[]): StoredPasskey[] {
  return factors.flatMap(({ passkey }) => passkey ?? []);
}
