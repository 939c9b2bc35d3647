import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesPlaces } from "#kernel/operation/four-eyes.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { promotionGates } from "../estate/index.js";
import { backTestPolicy } from "./back-tests/operations.js";
import { readDashboard } from "./dashboard/operations.js";
import { decisionApprovalStatus } from "./decisions/approvals/machine.js";
import { approveAction, listApprovals, readApproval, rejectAction } from "./decisions/approvals/operations.js";
import { decisionApprovals } from "./decisions/approvals/schema.js";
import { evaluatePolicies } from "./decisions/operations.js";
import { decisionPermissions } from "./decisions/permissions.js";
import { readDomainEnums } from "./enums/operations.js";
import { policyGates } from "./evaluations/gate/gate.js";
import { evaluationDues, runEvaluationJobs } from "./evaluations/jobs.js";
import { runStatus } from "./evaluations/machine.js";
import { cancelRun, listRuns, readRun, runEvaluation } from "./evaluations/operations.js";
import { evaluationPermissions } from "./evaluations/permissions.js";
import { evaluationMarks } from "./evaluations/results/marks.js";
import { assetResults } from "./evaluations/results/results.js";
import { ruleStandings } from "./evaluations/results/standings.js";
import { followAssets, followPolicies } from "./evaluations/run/follow.js";
import { evaluationRuns, runWork } from "./evaluations/schema.js";
import { governanceEvents } from "./events.js";
import { followDeletedPolicies } from "./exemptions/end/follow.js";
import { exemptionDue, runExemptionJobs } from "./exemptions/jobs.js";
import { exemptionStatus } from "./exemptions/machine.js";
import {
  approveExemptionRequest,
  createExemption,
  listExemptions,
  readExemption,
  rejectExemptionRequest,
  revokeApprovedExemption,
  withdrawExemptionRequest,
} from "./exemptions/operations.js";
import { exemptionPermissions } from "./exemptions/permissions.js";
import { exemptions } from "./exemptions/schema.js";
import { decidedDues, dropDecided } from "./jobs.js";
import { installPolicyPack, listPacks } from "./packs/operations.js";
import { testPolicy, validatePolicy } from "./policies/check/operations.js";
import { confirmChange } from "./policies/force/decide.js";
import { activatePolicy } from "./policies/force/move.js";
import { decidePolicyChange } from "./policies/force/operations.js";
import { policyStatus } from "./policies/machine.js";
import { policyOperations } from "./policies/operations.js";
import { policyPermissions } from "./policies/permissions.js";
import { policies } from "./policies/schema.js";
import { listReviews, reviewFinding } from "./reviews/operations.js";
import { dismissFinding, lowerSeverity } from "./reviews/perform/second.js";
import { findingReviews } from "./reviews/schema.js";

export { DecisionApproval, decisionApprovals } from "./decisions/approvals/schema.js";
export type { DecisionFields } from "./decisions/ask/request.js";
export { decideInProcess } from "./decisions/in-process/in-process.js";
export { evaluatePolicies } from "./decisions/operations.js";
export type { Decision } from "./decisions/schema.js";
export { celOf, fieldsOf } from "./enums/build/vocabularies.js";
export { assetResults } from "./evaluations/results/results.js";
export { type RuleStanding, ruleStandings } from "./evaluations/results/standings.js";
export { evaluationRuns } from "./evaluations/schema.js";
export { exemptionsOver } from "./exemptions/request/selected.js";
export { Exemption, exemptions } from "./exemptions/schema.js";
export { packRules } from "./packs/operations.js";
export { policyRulesOf } from "./policies/queries.js";
export { Policy, policies } from "./policies/schema.js";
export { type ControlsOf, controlCatalogs } from "./policies/write/controls.js";
export { REVIEW_ACTIONS } from "./reviews/perform/actions.js";
export { snapshotsOf } from "./snapshots/take/snapshots.js";

const both = policyOperations({
  id: "aiGovernancePolicies",
  tag: "AI Governance",
  path: "/api/v1/ai-governance/policies",
  one: "governance policy",
  many: "governance policies",
  extension: true,
});

const runtime = policyOperations({
  kind: "runtime",
  id: "aiPolicies",
  tag: "AI Policies",
  path: "/api/v1/ai/policies",
  one: "runtime policy",
  many: "runtime policies",
  extension: false,
  successor: "/api/v1/ai-governance/policies",
});

/** Policies over assets and requests, their evaluation, and decisions of people about findings. */
export const governance = defineArea({
  name: "governance",
  collections: [
    policies,
    evaluationRuns,
    runWork,
    assetResults,
    evaluationMarks,
    ruleStandings,
    findingReviews,
    exemptions,
    decisionApprovals,
  ],
  machines: [policyStatus, runStatus, exemptionStatus, decisionApprovalStatus],
  operations: [
    both.list,
    both.create,
    both.read,
    both.replace,
    both.remove,
    decidePolicyChange,
    validatePolicy,
    testPolicy,
    backTestPolicy,
    listPacks,
    installPolicyPack,
    reviewFinding,
    listReviews,
    listExemptions,
    createExemption,
    readExemption,
    approveExemptionRequest,
    rejectExemptionRequest,
    withdrawExemptionRequest,
    revokeApprovedExemption,
    runtime.list,
    runtime.create,
    runtime.read,
    runtime.replace,
    runtime.remove,
    runEvaluation,
    listRuns,
    readRun,
    cancelRun,
    readDashboard,
    evaluatePolicies,
    listApprovals,
    readApproval,
    approveAction,
    rejectAction,
    readDomainEnums,
  ],
  follows: [followAssets, followPolicies, followDeletedPolicies],
  dues: [exemptionDue, ...evaluationDues, ...decidedDues],
  tick: async (env, tenantId, now) =>
    (await runExemptionJobs(env, tenantId, now)) +
    (await runEvaluationJobs(env, tenantId)) +
    (await dropDecided(env, tenantId)),
  extends: [
    extend(fourEyesPlaces, dismissFinding),
    extend(fourEyesPlaces, lowerSeverity),
    extend(fourEyesPlaces, activatePolicy),
    extend(fourEyesPlaces, confirmChange),
    governanceEvents,
    policyPermissions,
    evaluationPermissions,
    exemptionPermissions,
    decisionPermissions,
    // A decision holds values of the input, as the request for its approval does.
    defineEventReaders({ ai_decision: ["ai-approval:read"], policy_pack: ["ai-policy:read"] }),
    extend(promotionGates, policyGates),
  ],
});
