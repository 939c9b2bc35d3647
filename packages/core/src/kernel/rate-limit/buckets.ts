import { networkOf } from "../network.js";
import { effectOf, type Operation } from "../operation.js";
import type { Principal } from "../principal.js";

/**
 * Requests allowed per window of 60 seconds, per bucket; 0 for no limit. `tenant` and `principal` count what has a bearer,
 * `address` what has none; `credential` is for operations that take credentials, `dear` for those that cost much.
 */
export interface RateLimits {
  /** Of all principals of a tenant. */
  readonly tenant: number;
  /** Of one user or machine client. */
  readonly principal: number;
  /** Of one peer address, or /64 network of IPv6, without a bearer. */
  readonly address: number;
  /** Of one peer address: sign-in, registration and other writes without a bearer. */
  readonly credential: number;
  /** Of one principal: operations declared dear. */
  readonly dear: number;
}

export type BucketName = keyof RateLimits;
export const BUCKETS: readonly BucketName[] = ["tenant", "principal", "address", "credential", "dear"];

/** Nothing of these is given out without the store: when it does not answer, they refuse. The others go on in each process. */
export const STRICT: ReadonlySet<BucketName> = new Set(["credential", "dear"]);

/** Quotas of peers are kept under this name, which no tenant bears. */
const PEERS = "peers";

/** What one request is counted against: buckets with whose they are. */
export interface Spending {
  readonly tenantId: string;
  readonly keys: readonly (readonly [bucket: BucketName, key: string])[];
}

export function spendingOf(
  operation: Operation,
  principal: Principal | undefined,
  remoteAddress: string | undefined,
): Spending {
  const extra = extraBucket(operation);
  const tenantId = principal?.tenantId ?? PEERS;
  const key = principal?.userId ?? networkOf(remoteAddress ?? "unknown");
  const usual: Spending["keys"] = principal
    ? [
        ["tenant", tenantId],
        ["principal", key],
      ]
    : [["address", key]];
  return { tenantId, keys: extra ? [...usual, [extra, key]] : usual };
}

/** The bucket beside the usual ones. Writes without a bearer take a credential or make a tenant, so they are counted as such. */
function extraBucket(operation: Operation): "credential" | "dear" | undefined {
  if (operation.access !== "public") return operation.dear ? "dear" : undefined;
  return effectOf(operation) === "read" ? undefined : "credential";
}
