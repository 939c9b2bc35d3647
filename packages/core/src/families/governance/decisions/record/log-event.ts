import type { Context } from "../../../../kernel/operation/context.js";
import { boundedSettings } from "../../../platform/index.js";
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
  readonly inputDigest: string;
}

/** Logs a decision: who, what, why, and the digest of the input. Only listed values are included. */
export async function logDecision(ctx: Context, logged: Logged): Promise<void> {
  const { ask, evaluation, parties, batchId, inputDigest } = logged;
  const { id, status, decision, context } = evaluation;
  const sessionIds = parties.sessions.map((session) => session.id);
  const approvals = context.approval ? [context.approval.id] : [];
  const spec = {
    subject: { id, type: "ai_decision", path: EVALUATE_PATH },
    related: [...parties.all.map((asset) => asset.id), ...sessionIds, ...approvals],
    data: {
      entity: { type: "ai_decision", id },
      batchId,
      status,
      decision,
      subject: { type: ask.subject.type, id: ask.subject.id },
      action: { name: ask.action.name },
      resource: { type: ask.resource.type, id: ask.resource.id },
      reasons: context.reasons.map((reason) => ({
        code: reason.code,
        ...ruleOf(reason),
        ...(reason.path ? { path: reason.path } : {}),
      })),
      obligations: context.obligations.map((obligation) => ({ type: obligation.type, ...ruleOf(obligation) })),
      observed: context.observed.map((one) => ({ effect: one.effect, ...ruleOf(one) })),
      sessionIds,
      sessionEpoch: context.sessionEpoch,
      approvalId: context.approval?.id ?? null,
      actionDigest: context.actionDigest,
      inputDigest,
      input: listedInput(ask, (await boundedSettings(ctx)).loggedFields),
    },
  };
  if (status === "allow") await ctx.emit({ type: "decision.allowed", ...spec });
  else if (status === "deny") await ctx.emit({ type: "decision.denied", ...spec, outcome: "denied" });
  else await ctx.emit({ type: "decision.approval_required", ...spec, outcome: "denied" });
}

/** The rule behind a reason. Its message is left out, because it may quote the request. */
function ruleOf({ policyKey, ruleKey, revision }: Pick<DecisionReason, "policyKey" | "ruleKey" | "revision">) {
  return { policyKey, ruleKey, revision };
}
