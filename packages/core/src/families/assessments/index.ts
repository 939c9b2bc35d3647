import { defineArea } from "../../kernel/operation/area.js";
import { applyDueTimeTransitions } from "../../kernel/operation/time-transitions.js";
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
import { assessmentPermissions } from "./permissions.js";
import { assessments } from "./schema.js";

export { NO_STANDINGS, type Standings, standingsOf } from "./read.js";
export { STANDINGS } from "./rules/standing.js";
export { assessments } from "./schema.js";

/** Impact and risk assessments of assets, by questionnaires and with approval by a second person. */
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
