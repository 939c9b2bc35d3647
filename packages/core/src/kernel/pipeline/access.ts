import { andThen, type MaybePromise } from "../async/maybe-promise.js";
import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { ReeveError } from "../http/errors.js";
import type { Gates, TenantState } from "../operation/gates.js";
import type { Operation } from "../operation/operation.js";
import { requirePermission } from "../operation/permission.js";
import type { Execution } from "./execution.js";

/** The state of the principal's tenant. Refuses the token at the host of another tenant. */
function bindTenant({ tenantId }: Principal, gates: Gates, host: string | null | undefined): MaybePromise<TenantState> {
  return andThen(gates.admits(host, tenantId), (admitted) => {
    if (!admitted) throw new ReeveError("invalid_token");
    return andThen(gates.tenant(tenantId), working);
  });
}

/** The tenant of a caller, `undefined` without one. Refuses an operation whose kill switch is engaged. */
export function admitTenant(
  gates: Gates,
  { operation, principal, facts }: Execution,
): MaybePromise<TenantState | undefined> {
  const bound = principal && bindTenant(principal, gates, facts.host);
  if (!operation.killSwitches?.length) return bound;
  return andThen<TenantState | undefined, TenantState | undefined>(bound, async (tenant) => {
    await checkKillSwitches(operation, gates);
    return tenant;
  });
}

/** Checks licence and permission, and that an operation of the provider is the provider's. */
export function checkAccess(
  env: Environment,
  operation: Operation,
  principal: Principal | undefined,
  tenant: TenantState | undefined,
): void {
  if (tenant) checkCapability(operation, tenant);
  if (tenant) checkProvider(operation, tenant);
  if (principal) checkPermission(env, operation, principal);
}

function working(tenant: TenantState | undefined): TenantState {
  if (!tenant) throw new ReeveError("invalid_token");
  if (tenant.status !== "active") throw new ReeveError("tenant_suspended", `The tenant is ${tenant.status}.`);
  return tenant;
}

/**
 * Refuses an operation while one of its kill switches is engaged. Rejects with the error of the store when they cannot
 * be read, so that it is refused then too, and nobody is told of a switch that was not moved.
 */
async function checkKillSwitches(operation: Operation, gates: Gates): Promise<void> {
  if (!operation.killSwitches || operation.killSwitches.length === 0) return;
  const engaged = await gates.engagedSwitch(operation.killSwitches);
  if (engaged === undefined) return;
  throw new ReeveError("kill_switch_active", `The switch "${engaged}" is engaged.`, {
    members: { killSwitch: engaged },
    headers: { "retry-after": "30" },
  });
}

function checkCapability(operation: Operation, tenant: TenantState): void {
  if (typeof operation.access === "string" || !operation.access.capability) return;
  requireCapability(tenant, operation.access.capability);
}

/** 403 `capability_not_licensed` naming the capability, unless the tenant has it. */
export function requireCapability(tenant: TenantState, capability: string): void {
  if (tenant.licensed(capability)) return;
  throw new ReeveError("capability_not_licensed", `The capability "${capability}" is not licensed.`, {
    members: { capability },
  });
}

/** 403 `provider_policy` outside the provider's own tenant, whatever permissions the caller has. */
function checkProvider(operation: Operation, tenant: TenantState): void {
  if (typeof operation.access === "string" || !operation.access.provider || tenant.provider) return;
  throw new ReeveError("provider_policy");
}

function checkPermission(env: Environment, operation: Operation, principal: Principal): void {
  if (typeof operation.access === "string") return;
  requirePermission(env, principal, operation.access.permission);
}
