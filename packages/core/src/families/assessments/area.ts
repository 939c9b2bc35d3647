import { defineArea } from "#families/area.js";
import { assessmentsResource } from "./assessments/resource.js";

/** Impact and risk assessments of assets, by questionnaires and with approval by a four-eyes approver. */
export const assessmentsArea = defineArea({
  name: "assessments",
  resources: [assessmentsResource],
});
