import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { findControl } from "../frameworks/read/find.js";
import { requirementStates } from "./evidence/evidence.js";
import type { AssessedFields, ComplianceFields } from "./fields.js";
import { RESULTS, WORKFLOW } from "./workflow-states.js";

/** The fields that guards read. */
type Assessment = ComplianceFields & AssessedFields;

const judgedByPeople: Guard<Assessment> = {
  description: "People judge the control, alone or beside rules.",
  async check({ record, ctx }) {
    const found = await findControl(ctx, record.framework, record.controlId);
    if (!found?.control) return "Its framework has no such control any more.";
    return found.control.kind === "automated" ? "Rules alone judge this control." : undefined;
  },
};

const assessed: Guard<Assessment> = {
  description: "Somebody has assessed it: has given a rationale or evidence.",
  check: ({ record }) => (record.assessedAt === null ? "Nobody has given a rationale or evidence." : undefined),
};

const evidenced: Guard<Assessment> = {
  description: "The evidence that the control wants is there and fresh.",
  async check({ record, ctx }) {
    const found = await findControl(ctx, record.framework, record.controlId);
    const kept = record.evidence.filter(({ retiredAt }) => retiredAt === null);
    const lacking = requirementStates(found?.control?.evidence ?? [], kept, ctx.now).filter(
      ({ fresh, wanted }) => fresh < wanted,
    );
    if (lacking.length === 0) return undefined;
    return `It wants ${lacking.map(({ type, fresh, wanted }) => `${wanted} of type ${type} and has ${fresh} that is fresh`).join(", ")}.`;
  },
};

/**
 * `status` of a compliance record: the result of the assessment. Results that improve the posture take a second
 * person.
 */
export const complianceResult = defineMachine<Assessment>()({
  name: "complianceResult",
  field: "status",
  eventType: "compliance.assessed",
  states: RESULTS,
  initial: ["not_assessed"],
  guards: { judgedByPeople, assessed, evidenced },
  transitions: [
    {
      event: "attest",
      from: ["not_assessed", "partial", "non_compliant", "not_applicable", "exempted"],
      to: "compliant",
      permission: "ai-compliance:attest",
      fourEyes: true,
      seen: true,
      guards: ["judgedByPeople", "assessed", "evidenced"],
    },
    {
      event: "exempt",
      from: ["not_assessed", "partial", "non_compliant"],
      to: "exempted",
      permission: "ai-compliance:attest",
      fourEyes: true,
      seen: true,
      needsReason: true,
      guards: ["judgedByPeople", "assessed"],
    },
    {
      event: "exclude",
      from: ["not_assessed", "compliant", "partial", "non_compliant", "exempted"],
      to: "not_applicable",
      permission: "ai-compliance:attest",
      fourEyes: true,
      seen: true,
      needsReason: true,
      guards: ["assessed"],
    },
    {
      event: "find_partial",
      from: ["not_assessed", "compliant", "non_compliant", "not_applicable", "exempted"],
      to: "partial",
      guards: ["judgedByPeople"],
    },
    {
      event: "find_non_compliant",
      from: ["not_assessed", "compliant", "partial", "not_applicable", "exempted"],
      to: "non_compliant",
      guards: ["judgedByPeople"],
    },
    {
      event: "withdraw",
      from: ["compliant", "partial", "non_compliant", "not_applicable", "exempted"],
      to: "not_assessed",
    },
    { event: "lose_evidence", from: ["compliant", "partial", "exempted"], to: "not_assessed", automatic: true },
  ],
});

/** `workflow` of a compliance record: the progress of the assessment. */
export const complianceWorkflow = defineMachine<Assessment>()({
  name: "complianceWorkflow",
  field: "workflow",
  eventType: "compliance.workflow.changed",
  states: WORKFLOW,
  initial: ["to_do"],
  guards: {},
  transitions: [
    { event: "start", from: ["to_do"], to: "in_progress" },
    { event: "put_back", from: ["in_progress"], to: "to_do" },
    { event: "submit", from: ["to_do", "in_progress"], to: "in_review" },
    { event: "send_back", from: ["in_review"], to: "in_progress" },
    { event: "finish", from: ["in_progress", "in_review"], to: "done" },
    { event: "reopen", from: ["done"], to: "to_do" },
  ],
});
