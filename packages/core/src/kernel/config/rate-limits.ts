/**
 * Requests allowed per bucket in a window of 60 seconds; 0 for no limit. `tenant` and `principal` count requests with a
 * bearer token, `address` those without a valid one. `credential` counts operations that take credentials, `expensive` those that
 * cost much.
 */
export interface RateLimits {
  /** Of all principals of a tenant. */
  readonly tenant: number;
  /** Of one user or machine client. */
  readonly principal: number;
  /** Of one peer address without a valid bearer token. An IPv6 address counts by its /64 network. */
  readonly address: number;
  /** Of one peer address: sign-in, registration and other writes without a bearer token. */
  readonly credential: number;
  /** Of one principal: operations that are declared expensive. */
  readonly expensive: number;
}

export type BucketName = keyof RateLimits;
export const BUCKETS: readonly BucketName[] = ["tenant", "principal", "address", "credential", "expensive"];
