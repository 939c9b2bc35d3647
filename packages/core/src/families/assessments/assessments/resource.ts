import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { assessmentStatus } from "./machine.js";
import {
  approveSubmitted,
  createAssessment,
  deleteAssessment,
  listAssessments,
  listQuestionnaires,
  readAssessment,
  replaceAssessment,
  sendBack,
  submitForApproval,
} from "./operations.js";
import { assessments } from "./schema.js";

/** Risk assessments of assets by questionnaire. */
export const assessmentsResource = defineResource({
  collections: [assessments],
  machines: [assessmentStatus],
  operations: [
    listAssessments,
    createAssessment,
    listQuestionnaires,
    readAssessment,
    replaceAssessment,
    deleteAssessment,
    submitForApproval,
    sendBack,
    approveSubmitted,
  ],
  permissions: {
    "ai-assessment:read": { lets: "See impact and risk assessments", heldBy: [...READERS, "member"] },
    "ai-assessment:write": {
      lets: "Answer the questions of impact and risk assessments, and submit them",
      heldBy: ["governance_officer", "approver", "operator", "member"],
    },
    "ai-assessment:approve": {
      lets: "Approve impact and risk assessments that others have made",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
  },
  tick: (env, tenantId, now) => applyDueTimeTransitions(env, assessments, tenantId, now),
});
