import { type Dismissal, type Finding, type FindingPatch, gravest, ordinalOf } from "#families/findings/index.js";
import { users } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { withInvolved } from "#kernel/records/involved.js";
import type { ReviewActionName } from "./actions.js";
import type { ReviewRequest } from "./body.js";
import type { Effect } from "./effect.js";
import { dismissFinding, requireAnother } from "./second.js";
import { overrideSeverity } from "./severity.js";

type OfFinding = Exclude<ReviewActionName, "request_exemption" | "approve_exemption" | "reject_exemption">;
type Perform = (ctx: Context, finding: Finding, request: ReviewRequest) => Effect | Promise<Effect>;

const done = (patch: FindingPatch): Effect => ({ patch, outcome: "done" });

/** The actions on the finding alone. */
export const PERFORM: Readonly<Record<OfFinding, Perform>> = {
  acknowledge: () => done({ workflow: "acknowledged" }),
  async assign(ctx, _finding, { fields: { assignee = null } }) {
    if (assignee?.type === "user" && !(await ctx.db.get(users, assignee.id)))
      throw invalidProperty("/assignee/id", "There is no such user.", "invalid_reference");
    return done({ assignee });
  },
  start_remediation: () => done({ workflow: "in_progress" }),
  claim_fixed: (ctx, { policyId, involved }) =>
    done({
      workflow: "fix_claimed",
      // No evaluation looks at what no policy found: what Reeve sees of the access itself resolves or refutes it.
      reevaluationRequestedAt: policyId === null ? null : ctx.now,
      involved: withInvolved(involved, [ctx.principal.userId]),
    }),
  dismiss: (ctx, finding, { fields: { reasonCode = "false_positive" }, reason = "" }) =>
    dismiss(ctx, finding, reasonCode, reason),
  reopen: () => done({ workflow: "new", dismissal: null, dismissalRequest: null, severityRequest: null }),
  override_severity: (ctx, finding, { fields: { severity = null }, reason = "" }) =>
    overrideSeverity(ctx, finding, severity, reason),
  comment: () => done({}),
  link_ticket: (_ctx, _finding, { fields: { ticketRef = null } }) => done({ ticketRef }),
};

/** Whether its dismissal needs a four-eyes approver. An override cannot lower that: the detected severity counts too. */
function needsSecond(finding: Finding): boolean {
  return ordinalOf(gravest(finding)) >= ordinalOf("high");
}

async function dismiss(
  ctx: Context,
  finding: Finding,
  reasonCode: Dismissal["reasonCode"],
  reason: string,
): Promise<Effect> {
  const by = ctx.principal.userId;
  const { evidence, dismissalRequest: asked } = finding;
  const wish: Dismissal = {
    reasonCode,
    reason,
    by,
    at: ctx.now,
    confirmedBy: null,
    evidenceDigest: evidence.digest,
    severity: gravest(finding),
  };
  const dismissed = (dismissal: Dismissal) => done({ workflow: "dismissed", dismissal, dismissalRequest: null });
  if (!needsSecond(finding)) return dismissed(wish);
  if (asked?.reasonCode !== reasonCode) return { patch: { dismissalRequest: wish }, outcome: "awaiting_four_eyes" };
  await requireAnother(ctx, finding, dismissFinding, asked.by);
  return dismissed({ ...asked, at: ctx.now, confirmedBy: by });
}
