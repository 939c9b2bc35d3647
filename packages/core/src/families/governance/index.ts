import { defineFamily } from "../../kernel/family.js";
import { readDomainEnums } from "./enums/operations.js";
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
import { exemptions } from "./exemptions/schema.js";
import { tendExemptions } from "./exemptions/upkeep.js";
import { installPolicyPack, listPacks } from "./packs/operations.js";
import { testPolicy, validatePolicy } from "./policies/check-operations.js";
import { policyStatus } from "./policies/machine.js";
import { policyOperations } from "./policies/operations.js";
import { policies } from "./policies/schema.js";
import { listReviews, reviewFinding } from "./reviews/operations.js";
import { findingReviews } from "./reviews/schema.js";

export { Exemption, exemptions } from "./exemptions/schema.js";
export { exemptionsOver } from "./exemptions/selected.js";
export { Policy, policies } from "./policies/schema.js";
export { REVIEW_ACTIONS } from "./reviews/actions.js";

const posture = policyOperations({
  kind: "posture",
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
});

/** Policies over the estate and over requests, and what people decide about what they find. */
export const governance = defineFamily({
  name: "governance",
  collections: [policies, findingReviews, exemptions],
  machines: [policyStatus, exemptionStatus],
  operations: [
    posture.list,
    posture.create,
    posture.read,
    posture.replace,
    posture.remove,
    validatePolicy,
    testPolicy,
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
    readDomainEnums,
  ],
  tick: tendExemptions,
});
