import type { MaybePromise } from "../async/maybe-promise.js";
import type { RateLimits } from "../config/rate-limits.js";

/** The state of a tenant that requests are bound to. */
export interface TenantState {
  readonly status: string;
  /** Whether it is the provider's own tenant. */
  readonly provider: boolean;
  /** Licensed and not expired at the moment of asking. */
  licensed(capability: string): boolean;
  /** How many there may be at the moment of asking; `null` without a limit. */
  limit(key: string): number | null;
}

/** What the pipeline asks the areas before an operation runs. */
export interface Gates {
  tenant(tenantId: string): MaybePromise<TenantState | undefined>;
  /** The first engaged switch among these keys. Rejects when it cannot be told. */
  engagedSwitch(keys: readonly string[]): Promise<string | undefined>;
  /** Reads what transactions ask for; nothing to wait for while that is known. */
  beforeTransaction(): MaybePromise<unknown>;
  /** What is in force now. */
  rateLimits(): RateLimits;
  /**
   * Whether a tenant may be used at a host: anywhere but at the host of another tenant. 400 when the host is `null`.
   */
  admits(host: string | null | undefined, tenantId: string): MaybePromise<boolean>;
}
