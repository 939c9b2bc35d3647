import { ReeveError } from "../http/errors.js";
import { type NeutralRequest, singleHeader } from "../http/http.js";
import type { Operation } from "../operation/operation.js";
import { takesIdempotencyKey } from "./idempotency.js";

/** Says that a request of unknown outcome may be repeated, where doing it twice is doing it once. */
export function repeatableIfIdempotent(
  error: ReeveError,
  operation: Operation | undefined,
  request: NeutralRequest,
): ReeveError {
  if (error.code !== "outcome_unknown" || !operation || !isIdempotent(operation, request)) return error;
  const { cause, members } = error;
  return new ReeveError(error.code, "The same request changes it once at most.", {
    cause,
    members: { ...members, retryable: true },
    headers: { "retry-after": "1" },
  });
}

function isIdempotent(operation: Operation, request: NeutralRequest): boolean {
  // A repeat of a condition that was met tells of the change itself as if it were of somebody else.
  if (operation.method === "PUT" || operation.method === "DELETE")
    return singleHeader(request, "if-match") === undefined;
  return takesIdempotencyKey(operation) && singleHeader(request, "idempotency-key") !== undefined;
}
