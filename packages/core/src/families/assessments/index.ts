import { defineArea } from "#kernel/operation/area.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { assessmentStatus } from "./assessments/machine.js";
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
} from "./assessments/operations.js";
import { assessmentPermissions } from "./assessments/permissions.js";
import { assessments } from "./assessments/schema.js";

export { type Assessed, assessmentsOf, NO_STANDINGS, type Standings, standingsOf } from "./assessments/queries.js";
export { assessments } from "./assessments/schema.js";
export { STANDINGS } from "./assessments/standing/standing.js";

/** Impact and risk assessments of assets, by questionnaires and with approval by a four-eyes approver. */
export const assessmentsArea = defineArea({
  name: "assessments",
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
  tick: (env, tenantId, now) => applyDueTimeTransitions(env, assessments, tenantId, now),
  extends: [assessmentPermissions],
});
