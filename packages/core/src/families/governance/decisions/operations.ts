import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { DecisionFields, EVALUATE_PATH, readRequest } from "./ask/request.js";
import { prepareDecision, recordDecision } from "./record/record-decision.js";
import { Decision } from "./schema.js";

export const evaluatePolicies = defineOperation({
  id: "aiPolicies.evaluate",
  method: "POST",
  path: EVALUATE_PATH,
  tag: "AI Policies",
  summary: "Decide whether somebody may do something now",
  description:
    "In the shape of the AuthZEN Authorization API 1.0, one question or up to a hundred. States of assets and sessions are checked before any policy, a rule without a result denies, and no decision is given that is not in the activity stream. With `context.approvalId` an approval is used.",
  access: { permission: "ai-decision:evaluate", capability: "ai_governance" },
  unkept: Object.keys(DecisionFields.shape),
  body: GenericBody.extend(DecisionFields.shape).meta({
    id: "DecisionRequest",
    example: {
      subject: { type: "user", id: "ada" },
      action: { name: "read" },
      resource: { type: "document", id: "1" },
    },
  }),
  success: { status: 201, schema: Decision },
  prepare: (ctx, { body }) => prepareDecision(ctx, readRequest(body)),
  handler: (ctx, _input, prepared) => recordDecision(ctx, prepared),
});
