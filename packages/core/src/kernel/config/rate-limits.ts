/**
 * Requests allowed per bucket in a window of 60 seconds; 0 for no limit. `tenant` and `principal` count requests with a
 * bearer token, the next three those without a valid one, `expensive` operations that cost much. What is refused has a
 * budget of its own, so that worthless credentials use up nothing that good ones need.
 */
export interface RateLimits {
  /** Of all principals of a tenant. */
  readonly tenant: number;
  /** Of one user or machine client. */
  readonly principal: number;
  /** Of one peer address: reads without a bearer token. An IPv6 address counts by its /64 network. */
  readonly address: number;
  /** Of one peer address: invalid and missing bearers, and refused sign-ins, registrations and other such writes. */
  readonly rejected: number;
  /** Of one peer address and operation: sign-ins, registrations and other writes without a bearer that succeed. */
  readonly credential: number;
  /** Of one principal: operations that are declared expensive. */
  readonly expensive: number;
}

export type BucketName = keyof RateLimits;
export const BUCKETS: readonly BucketName[] = ["tenant", "principal", "address", "rejected", "credential", "expensive"];
