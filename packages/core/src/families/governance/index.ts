export { type AskedFurther, askFurther, cancelApproval } from "./decisions/approvals/asker.js";
export { type ApprovalFault, approvalFault } from "./decisions/approvals/fault.js";
export { DecisionApproval, decisionApprovals } from "./decisions/approvals/schema.js";
export { assetsNamed, assetTypeOf, resemblesAsset } from "./decisions/ask/facts.js";
export {
  type Ask,
  type DecisionFields,
  type DecisionRequest,
  readRequest,
  SEMANTICS,
  type Semantic,
} from "./decisions/ask/request.js";
export { decideInProcess } from "./decisions/in-process.js";
export { textsComparedWith } from "./decisions/judge/compared-texts.js";
export { evaluatePolicies } from "./decisions/operations.js";
export {
  type DecisionWatch,
  judgeAsks,
  type Prepared,
  prepareDecision,
  recordDecision,
} from "./decisions/record/record-decision.js";
export { DECISIONS, type Decision, type DecisionReason, type Evaluation, REASON_CODES } from "./decisions/schema.js";
export { celOf, fieldsOf } from "./enums/enum-vocabularies.js";
export { assetResults } from "./evaluations/results/results.js";
export { type RuleStanding, ruleStandings } from "./evaluations/results/standings.js";
export { evaluationRuns } from "./evaluations/schema.js";
export { exemptionsOver } from "./exemptions/request/selected.js";
export { Exemption, exemptions } from "./exemptions/schema.js";
export { packRules } from "./packs/operations.js";
export { policyRulesOf } from "./policies/queries.js";
export { OBLIGATION_TYPES } from "./policies/rule-obligations.js";
export { Policy, policies } from "./policies/schema.js";
export { SHOWN as POLICY_CONTENT } from "./policies/version-fields.js";
export { type ControlsOf, controlCatalogs } from "./policies/write/controls.js";
export { REVIEW_ACTIONS } from "./reviews/perform/actions.js";
export { snapshotsOf } from "./snapshots/take/snapshots.js";
