import type { ExitCode, Invocation } from "../command.js";
import { type DecisionOptions, decideReview } from "../decide/decide-review.js";

/** Rejects what waits in a review of any kind. */
export function reject(invocation: Invocation, review: string, options: DecisionOptions): Promise<ExitCode> {
  return decideReview(invocation, "reject", review, options);
}
