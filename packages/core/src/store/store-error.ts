import { brand, brandOf, isBranded } from "../kernel/http/brand.js";

/** Why a store refused or failed; the kernel maps each to one published error code. */
export type StoreErrorCode =
  | "duplicate"
  | "stale"
  | "aborted"
  | "busy"
  | "unavailable"
  | "full"
  | "outcome_unknown"
  | "conflict"
  | "schema"
  | "closed"
  | "refused"
  | "timeout";

const STORE_ERROR = brandOf("StoreError");

/** A failure of the store in its own words. `key` names the unique key of a `duplicate`. Driver text stays in `cause`. */
export class StoreError extends Error {
  /** Whether a value is one, also of another copy of this package in the process. */
  static is(value: unknown): value is StoreError {
    return isBranded(value, STORE_ERROR);
  }

  override readonly name = "StoreError";

  constructor(
    readonly code: StoreErrorCode,
    message: string,
    readonly detail: { readonly key?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
  }
}

brand(StoreError, STORE_ERROR);
