import { ReeveError } from "../kernel/http/errors.js";

/** Why a call failed. These fixed texts reveal nothing that the target said, no name and no address. */
const REASONS = {
  unresolved: "The target's name could not be resolved.",
  unreachable: "The target could not be reached.",
  tls: "No trusted TLS connection to the target could be made.",
  protocol: "The target did not answer in valid HTTP.",
  broken_off: "The target broke off its answer.",
  too_large: "The target's answer is larger than is read.",
  encoding: "The target's answer is compressed, which was not asked for.",
  redirect: "The target redirects too often, or to where the request cannot follow.",
} as const;

type FailureReason = keyof typeof REASONS;

export function failed(reason: FailureReason): ReeveError {
  return new ReeveError("connector_error", REASONS[reason], { members: { reason } });
}

export const timedOut = (): ReeveError => new ReeveError("connector_timeout");

/** The same text for every refused target, so that it reveals nothing about the network. */
export const notAllowed = (): ReeveError => new ReeveError("target_not_allowed");

/** The refusal itself, or `reason` in place of a platform error, whose text holds addresses. */
export function asFailure(error: unknown, reason: FailureReason): ReeveError {
  return ReeveError.is(error) ? error : failed(reason);
}
