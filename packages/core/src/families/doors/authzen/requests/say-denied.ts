import { type ApprovalFault, type Ask, approvalFault, type Evaluation } from "#families/governance/index.js";
import type { Context } from "#kernel/operation/context.js";
import { sealEvaluation } from "./denial.js";

export const REQUESTS = "/access/v1/requests";
/** How long a caller waits before it looks again, in seconds. */
export const LOOK_AGAIN = 5;

/** The registered reasons why an approval did not help, and what to do then. */
const FAULTS: Readonly<Record<ApprovalFault, readonly [reason: string, next: "request" | "retry" | "none"]>> = {
  over: ["approval_expired", "request"],
  out_of_scope: ["out_of_scope", "request"],
  undecided: ["grant_pending", "retry"],
  overruled: ["policy_denied", "none"],
  unverifiable: ["approval_unverifiable", "none"],
};

/** The approval that a request shows as the access request and approval profile has it, named as it is here. */
export function withApproval(ask: Ask): Ask {
  const { approval, ...context } = ask.context;
  if (typeof approval !== "object" || approval === null) return ask;
  const { id, state } = approval as Readonly<Record<string, unknown>>;
  // Reeve gives out no state, so that none can be verified.
  return { ...ask, context: { ...context, approvalId: state === undefined && typeof id === "string" ? id : "" } };
}

/** A question that was denied: as it was sent, and with the names of records. */
export interface Denied {
  readonly sent: Ask;
  readonly ask: Ask;
  /** The circumstances that its rules read, as paths. */
  readonly reads: readonly string[];
  readonly evaluation: Evaluation;
}

/** What the access request and approval profile says of a denial: whether it may be asked about, and what to do next. */
export async function sayDenied(ctx: Context, { sent, ask, reads, evaluation }: Denied) {
  const { id, status, context } = evaluation;
  const fault = await approvalFault(ctx, ask, evaluation);
  const open = status === "require_approval" ? context.approval : null;
  const [reason, next] = fault ? FAULTS[fault] : [context.reasons[0]?.code, undefined];
  return {
    evaluation_id: open ? sealEvaluation(ctx, sent, reads, evaluation, open) : id,
    evaluated_at: context.evaluatedAt,
    reason,
    ...(open
      ? { access_request: { endpoint: `${ctx.env.options.baseUrl}${REQUESTS}`, expires_at: open.expiresAt } }
      : {}),
    ...(next ? { next_action: next === "request" && !open ? "none" : next } : {}),
    ...(next === "retry" ? { retry_after: LOOK_AGAIN } : {}),
  };
}
