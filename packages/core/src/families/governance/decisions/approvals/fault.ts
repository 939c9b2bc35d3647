import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import { isIdOf } from "#store/collection.js";
import { sessionsOf } from "../ask/facts.js";
import type { Ask } from "../ask/request.js";
import type { DecisionReason, Evaluation } from "../schema.js";
import { type DecisionApproval, decisionApprovals } from "./schema.js";

/** Why an approval did not lead to an allowance. */
export type ApprovalFault = "unverifiable" | "over" | "out_of_scope" | "undecided" | "overruled";

/**
 * Why the approval that a denied request names did not help. One of others is as unknown as one that never was. `undefined`
 * where none is named.
 */
export async function approvalFault(ctx: Context, ask: Ask, denied: Evaluation): Promise<ApprovalFault | undefined> {
  const { approvalId } = ask.context;
  if (approvalId === undefined) return undefined;
  if (typeof approvalId !== "string" || !isIdOf(decisionApprovals, approvalId)) return "unverifiable";
  const [row] = await ctx.db.getMany(decisionApprovals, [approvalId]);
  if (!row || row.value.requestedBy !== ctx.principal.userId) return "unverifiable";
  const approval = await ctx.current(decisionApprovals, row);
  const { status } = approval;
  if (status === "rejected") return "unverifiable";
  if (status !== "requested" && status !== "approved") return "over";
  if (!isAbout(approval, ask, denied)) return "out_of_scope";
  if (denied.status === "deny") return "overruled";
  // Rules of another revision want an approval of their own.
  if (!isSame(rulesOf(approval.reasons), rulesOf(denied.context.reasons))) return "over";
  return status === "requested" && denied.context.approval?.id === approvalId ? "undecided" : "out_of_scope";
}

/** Whether an approval covers what is asked for, as far as circumstances are left out. */
function isAbout(approval: DecisionApproval, ask: Ask, { context }: Evaluation): boolean {
  if (approval.scope?.covers !== "tool_in_session") return approval.actionDigest === context.actionDigest;
  const { subject, action, resource } = approval;
  const named = { subject: partyOf(ask.subject), action: ask.action.name, resource: partyOf(ask.resource) };
  return (
    isSame(named, { subject, action: action.name, resource }) && (sessionsOf(ask)[0] ?? null) === approval.sessionId
  );
}

const partyOf = ({ type, id }: Ask["subject"]) => ({ type, id });

const rulesOf = (reasons: readonly DecisionReason[]) =>
  [...new Set(reasons.map(({ policyKey, ruleKey, revision }) => `${policyKey}/${ruleKey}:${revision}`))].sort();
