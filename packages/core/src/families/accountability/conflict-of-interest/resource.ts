import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { fourEyesChecks } from "#kernel/operation/four-eyes.js";
import { checkFourEyes } from "./check/four-eyes.js";

/** Whether an approver has a conflict of interest. */
export const conflictOfInterestResource = defineResource({
  extends: [extend(fourEyesChecks, checkFourEyes)],
});
