import { type Principal, systemPrincipal } from "../../../../kernel/config/principal.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { OutsideContext } from "../../../../kernel/operation/outside-context.js";
import { optionsOf } from "../../../options.js";
import {
  capabilityEntitlement,
  claimSubdomain,
  entitlements,
  insertTenant,
  NO_ALIAS,
  outdatedHold,
  type Tenant,
  tenants,
} from "../../../platform/index.js";
import { addUser } from "../../users/operations.js";
import type { User } from "../../users/schema.js";

/** The tenant to make, and the person who will own it. */
interface Founding {
  readonly tenantId: string;
  readonly name: string;
  readonly subdomain: string;
  readonly owner: {
    readonly username: string;
    readonly name?: string | undefined;
    readonly passwordHash: string;
    readonly roles: string[];
  };
}

/** Stores a tenant, its licences and its owner in one transaction, together with what `also` writes. */
export async function createTenant(
  ctx: OutsideContext,
  { tenantId, name, subdomain, owner }: Founding,
  also: (inner: Context) => Promise<void> = async () => {},
): Promise<User> {
  const outdated = await outdatedHold(ctx, subdomain, tenantId);
  return ctx.write(async (inner) => {
    await also(inner);
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
    };
    await inner.insert(tenants, tenant);
    await claimSubdomain(inner, subdomain, outdated);
    const licences = optionsOf(ctx.env).defaultCapabilities.map((key) => capabilityEntitlement(key, inner.now));
    await inner.insertMany(entitlements, licences);
    const user = await addUser(inner, owner);
    await insertTenant(inner, tenant, licences);
    return user;
  }, founder(tenantId));
}

/** Registration runs before there is a user. */
export function founder(tenantId: string): Principal {
  return { ...systemPrincipal(tenantId), username: "registration" };
}
