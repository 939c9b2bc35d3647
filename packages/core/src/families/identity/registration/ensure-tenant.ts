import { PLATFORM_TENANT, refuseReserved, tenants } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { z } from "#schema/z.js";
import { StoreError } from "#store/store-error.js";
import { createTenant } from "./create-tenant.js";
import { subdomainFrom } from "./rules.js";
import { Register } from "./schema.js";

/** A tenant that the host defines. */
export interface HostTenant {
  /** The host's permanent id for it, 1 to 254 characters. */
  readonly externalId: string;
  readonly name: string;
  /** A DNS label. Derived from the name when absent. */
  readonly subdomain?: string;
}

const Given = z.strictObject({
  externalId: z.string().min(1).max(254),
  name: Register.shape.organization,
  subdomain: Register.shape.subdomain,
});

/**
 * The tenant of this `externalId`, created without users unless it exists. An existing one keeps its name and
 * subdomain. The registration policy does not apply. 409 `already_exists` when another tenant has the subdomain.
 */
export async function ensureTenant(
  env: Environment,
  given: HostTenant,
): Promise<{ readonly tenantId: string; readonly created: boolean }> {
  const parsed = Given.safeParse(given);
  if (!parsed.success) throw new ReeveError("invalid_request", `ensureTenant: ${z.prettifyError(parsed.error)}`);
  const { externalId, name, subdomain } = parsed.data;
  if (subdomain !== undefined) refuseReserved(subdomain);
  const find = async () => (await env.store.platform.lookup(tenants, "external", { externalId }))?.tenantId;
  const known = await find();
  if (known !== undefined) return { tenantId: known, created: false };
  const ctx = systemContext(env, PLATFORM_TENANT, "req");
  const tenantId = ctx.newId("tnt");
  const label = subdomain ?? subdomainFrom(name, tenantId.slice(-6).toLowerCase());
  try {
    await createTenant(ctx, { tenantId, name, subdomain: label, externalId }, async () => undefined);
    return { tenantId, created: true };
  } catch (error) {
    // Another process or call created it at the same time.
    const made = StoreError.is(error) && error.code === "duplicate" ? await find() : undefined;
    if (made !== undefined) return { tenantId: made, created: false };
    throw error;
  }
}
