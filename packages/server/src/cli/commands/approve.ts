import type { ExitCode, Invocation } from "../command.js";
import { type DecisionOptions, decideReview } from "../decide/decide-review.js";

/** Approves what waits in a review of any kind. */
export function approve(invocation: Invocation, review: string, options: DecisionOptions): Promise<ExitCode> {
  return decideReview(invocation, "approve", review, options);
}
