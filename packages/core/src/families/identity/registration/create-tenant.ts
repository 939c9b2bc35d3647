import { optionsOf } from "#families/options.js";
import {
  capabilityEntitlement,
  claimSubdomain,
  entitlements,
  insertTenant,
  NO_ALIAS,
  outdatedHold,
  type Tenant,
  tenants,
} from "#families/platform/index.js";
import { type Principal, systemPrincipal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";

/** The tenant to create. */
interface Founding {
  readonly tenantId: string;
  readonly name: string;
  readonly subdomain: string;
  readonly externalId?: string;
}

/** Stores a tenant and its entitlements in one transaction, with what `also` writes. */
export async function createTenant<T>(
  ctx: OutsideContext,
  { tenantId, name, subdomain, externalId }: Founding,
  also: (inner: Context) => Promise<T>,
): Promise<T> {
  const outdated = await outdatedHold(ctx, subdomain, tenantId);
  return ctx.write(async (inner) => {
    const { id: _minted, version, ...marks } = inner.stamp(tenants);
    const tenant: Tenant = {
      id: tenantId,
      name,
      status: "active",
      version,
      metadata: {},
      ...marks,
      subdomain,
      ...NO_ALIAS,
      externalId: externalId ?? null,
    };
    await inner.insert(tenants, tenant);
    await claimSubdomain(inner, subdomain, outdated);
    const licences = optionsOf(ctx.env).defaultCapabilities.map((key) => capabilityEntitlement(key, inner.now));
    await inner.insertMany(entitlements, licences);
    const made = await also(inner);
    await insertTenant(inner, tenant, licences);
    return made;
  }, founder(tenantId));
}

/** The principal of a registration, which runs before there is a user. */
export function founder(tenantId: string): Principal {
  return { ...systemPrincipal(tenantId), username: "registration" };
}
