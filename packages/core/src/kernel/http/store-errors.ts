import { StoreError, type StoreErrorCode } from "#store/store-error.js";
import { type ErrorCode, ReeveError } from "./errors.js";

const PUBLISHED: Record<StoreErrorCode, ErrorCode> = {
  duplicate: "already_exists",
  stale: "concurrent_modification",
  conflict: "concurrent_modification",
  aborted: "storage_unavailable",
  busy: "storage_busy",
  unavailable: "storage_unavailable",
  full: "storage_full",
  outcome_unknown: "outcome_unknown",
  schema: "storage_unavailable",
  closed: "shutting_down",
  refused: "invalid_request",
  timeout: "query_timeout",
};

/**
 * Turns any failure into one with a published code. An unknown failure becomes `internal` and keeps its cause for the
 * log.
 */
export function publishedError(error: unknown): ReeveError {
  if (ReeveError.is(error)) return error;
  if (!StoreError.is(error)) return new ReeveError("internal", undefined, { cause: error });
  const code = PUBLISHED[error.code];
  if (error.code === "duplicate") {
    const key = error.detail.key ?? "id";
    return new ReeveError(code, "There is another record with the same key.", { members: { key }, cause: error });
  }
  const retry = code.startsWith("storage") || code === "shutting_down";
  return new ReeveError(code, undefined, { cause: error, headers: retry ? { "retry-after": "1" } : {} });
}
