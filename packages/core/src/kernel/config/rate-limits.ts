/**
 * Requests allowed per window of 60 seconds, per bucket; 0 for no limit. `tenant` and `principal` count what has a bearer,
 * `address` what has none; `credential` is for operations that take credentials, `expensive` for those that cost much.
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
  /** Of one principal: operations declared expensive. */
  readonly expensive: number;
}

export type BucketName = keyof RateLimits;
export const BUCKETS: readonly BucketName[] = ["tenant", "principal", "address", "credential", "expensive"];
