import type { Environment } from "./environment.js";
import { ReeveError } from "./errors.js";
import type { Operation } from "./operation.js";
import type { Principal } from "./principal.js";
import type { RateLimits } from "./rate-limit/buckets.js";
import { type Soon, soon } from "./soon.js";

/** What binding to a tenant needs to know of it. */
export interface TenantState {
  readonly status: string;
  /** Whether it is the tenant of the people who run the service. */
  readonly provider: boolean;
  /** Licensed and not expired at the moment of asking. */
  licensed(capability: string): boolean;
  /** How many there may be at the moment of asking; `null` without a limit. */
  limit(key: string): number | null;
}

/** What the pipeline asks of the families before an operation runs. */
export interface Gates {
  tenant(tenantId: string): Soon<TenantState | undefined>;
  /** The first engaged switch among these keys. Rejects when it cannot be told. */
  engagedSwitch(keys: readonly string[]): Promise<string | undefined>;
  /** Reads what transactions ask for; nothing to wait for while that is known. */
  beforeTransaction(): Soon<unknown>;
  /** What is in force now. */
  rateLimits(): RateLimits;
  /** Whether a tenant can be met at a host: anywhere but at the host of another one. 400 when the host is `null`. */
  admits(host: string | null | undefined, tenantId: string): Soon<boolean>;
}

/** The principal's tenant. At the host of another tenant its token is worth nothing. */
export function bindTenant({ tenantId }: Principal, gates: Gates, host: string | null | undefined): Soon<TenantState> {
  return soon(gates.admits(host, tenantId), (admitted) => {
    if (!admitted) throw new ReeveError("invalid_token");
    return soon(gates.tenant(tenantId), working);
  });
}

function working(tenant: TenantState | undefined): TenantState {
  if (!tenant) throw new ReeveError("invalid_token");
  if (tenant.status !== "active") throw new ReeveError("tenant_suspended", `The tenant is ${tenant.status}.`);
  return tenant;
}

/** Refuses an operation one of whose kill switches is engaged; a switch that cannot be read counts as engaged. */
export async function checkKillSwitches(operation: Operation, gates: Gates, environment: Environment): Promise<void> {
  if (!operation.killSwitches || operation.killSwitches.length === 0) return;
  let engaged: string | undefined;
  try {
    engaged = await gates.engagedSwitch(operation.killSwitches);
  } catch (cause) {
    environment.logger.error({ operation: operation.id, error: String(cause) }, "kill switches cannot be read");
    engaged = operation.killSwitches[0];
  }
  if (engaged !== undefined) {
    throw new ReeveError("kill_switch_active", `The switch "${engaged}" is engaged.`, {
      members: { killSwitch: engaged },
      headers: { "retry-after": "30" },
    });
  }
}

export function checkCapability(operation: Operation, tenant: TenantState): void {
  if (typeof operation.access === "string" || !operation.access.capability) return;
  const capability = operation.access.capability;
  if (!tenant.licensed(capability)) {
    throw new ReeveError("capability_not_licensed", `The capability "${capability}" is not licensed.`, {
      members: { capability },
    });
  }
}

/** 403 `provider_policy` to everybody outside the provider's own tenant, whatever they hold there. */
export function checkProvider(operation: Operation, tenant: TenantState): void {
  if (typeof operation.access === "string" || !operation.access.provider || tenant.provider) return;
  throw new ReeveError("provider_policy");
}

export function checkPermission(env: Environment, operation: Operation, principal: Principal): void {
  if (typeof operation.access === "string") return;
  requirePermission(env, principal, operation.access.permission);
}

/** 403 naming the permission, unless the principal holds it. Machines hold no permission of people, whatever they bring along. */
export function requirePermission(env: Pick<Environment, "humanOnly">, principal: Principal, permission: string): void {
  if (principal.kind === "client" && env.humanOnly.has(permission)) {
    throw new ReeveError("permission_denied", `Only people may hold "${permission}".`, { members: { permission } });
  }
  if (principal.permissions.has(permission)) return;
  throw new ReeveError("permission_denied", `The permission "${permission}" is required.`, { members: { permission } });
}
