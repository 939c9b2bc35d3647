import type { Context } from "#kernel/operation/context.js";
import { type Ask, EVALUATE_PATH } from "../ask/request.js";
import type { Parties } from "../judge/state-checks.js";
import type { DecisionReason, Evaluation } from "../schema.js";
import { listedInput } from "./masks.js";

/** A decision to log. */
export interface Logged {
  readonly ask: Ask;
  readonly evaluation: Evaluation;
  readonly parties: Parties;
  readonly batchId: string | null;
  /** The watch that lets the call pass although it is denied. */
  readonly watchId: string | null;
  readonly inputDigest: string;
  /** Paths of the values that the event may hold. */
  readonly loggedFields: readonly string[];
}

/** Logs a decision: who, what, why, and the digest of the input. Only listed values are included. */
export function logDecision(ctx: Context, logged: Logged): Promise<void> {
  const { ask, evaluation, parties, batchId, watchId, inputDigest, loggedFields } = logged;
  const { id, status, decision, context } = evaluation;
  const sessionIds = parties.sessions.map((session) => session.id);
  const approvals = context.approval ? [context.approval.id] : [];
  const spec = {
    subject: { id, type: "ai_decision", path: EVALUATE_PATH },
    related: [
      ...parties.all.map((asset) => asset.id),
      ...sessionIds,
      ...approvals,
      ...(watchId === null ? [] : [watchId]),
    ],
    // In the order of the canonical form, which is written fastest.
    data: {
      action: { name: ask.action.name },
      actionDigest: context.actionDigest,
      approvalId: context.approval?.id ?? null,
      batchId,
      decision,
      entity: { id, type: "ai_decision" },
      input: listedInput(ask, loggedFields),
      inputDigest,
      obligations: context.obligations.map((obligation) => ({ ...ruleOf(obligation), type: obligation.type })),
      observed: context.observed.map((one) => ({ effect: one.effect, ...ruleOf(one) })),
      reasons: context.reasons.map((reason) => ({
        code: reason.code,
        ...(reason.path ? { path: reason.path } : {}),
        ...ruleOf(reason),
      })),
      resource: { id: ask.resource.id, type: ask.resource.type },
      sessionEpoch: context.sessionEpoch,
      sessionIds,
      status,
      subject: { id: ask.subject.id, type: ask.subject.type },
      ...(watchId === null ? {} : { watchId }),
    },
  };
  if (watchId !== null) return ctx.emit({ type: "decision.watched", ...spec });
  if (status === "allow") return ctx.emit({ type: "decision.allowed", ...spec });
  if (status === "deny") return ctx.emit({ type: "decision.denied", ...spec, outcome: "denied" });
  return ctx.emit({ type: "decision.approval_required", ...spec, outcome: "denied" });
}

/** The rule behind a reason. Its message is left out, because it may quote the request. */
function ruleOf({ policyKey, ruleKey, revision }: Pick<DecisionReason, "policyKey" | "ruleKey" | "revision">) {
  return { policyKey, revision, ruleKey };
}
