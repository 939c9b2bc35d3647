import type { MaybePromise } from "../async/maybe-promise.js";
import type { RateLimits } from "../config/rate-limits.js";

/** The tenant of a request, as far as the pipeline checks it. */
export interface TenantState {
  readonly status: string;
  /** Whether it is the provider's own tenant. */
  readonly provider: boolean;
  /** Whether bodies with unknown properties are refused. */
  readonly strictBodies: boolean;
  /** The settings that the tenant has changed. Areas know what they mean. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether the capability is licensed and not expired now. */
  licensed(capability: string): boolean;
  /** The maximum that applies now; `null` without a limit. */
  limit(key: string): number | null;
}

/** What the pipeline asks the areas before it runs an operation. */
export interface Gates {
  tenant(tenantId: string): MaybePromise<TenantState | undefined>;
  /** The first engaged switch among these keys. Rejects when the switches cannot be read. */
  engagedSwitch(keys: readonly string[]): Promise<string | undefined>;
  /** The limits in force now. */
  rateLimits(): RateLimits;
  /** Whether a tenant may be used at a host: any but another tenant's. 400 when the host is `null`. */
  admits(host: string | null | undefined, tenantId: string): MaybePromise<boolean>;
}
