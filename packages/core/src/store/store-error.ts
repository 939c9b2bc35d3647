import { brand, brandOf, isBranded } from "../ports/brand.js";

/** Why a store refused or failed. The kernel maps each to one published error code. */
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

/** A failure of the store. `key` names the unique key of a `duplicate`. The driver's text stays in `cause`. */
export class StoreError extends Error {
  /** Whether a value is one, even from another copy of this package. */
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
