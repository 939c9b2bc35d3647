import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesChecks } from "#kernel/operation/four-eyes.js";
import { accountabilityEvents } from "./events.js";
import { listFlaggedDecisions } from "./flagged/operations.js";
import { flaggedDecisionPermissions } from "./flagged/permissions.js";
import { flaggedDecisions } from "./flagged/schema.js";
import { checkFourEyes } from "./hands/check/four-eyes.js";
import { origins } from "./origins/schema.js";

export { flaggedDecisions } from "./flagged/schema.js";
export { refusedDeciders } from "./hands/check/may-decide.js";
export { requireOtherHand } from "./hands/check/other-hand.js";
export {
  recordAccount,
  recordCredential,
  recordEarlierId,
  recordMachine,
  recordOwner,
  recordOwnPassword,
  recordRoles,
} from "./origins/record/record-origin.js";

/** Who is a four-eyes approver: where accounts and machines come from, and the decisions that related parties took. */
export const accountability = defineArea({
  name: "accountability",
  collections: [origins, flaggedDecisions],
  machines: [],
  operations: [listFlaggedDecisions],
  extends: [accountabilityEvents, flaggedDecisionPermissions, extend(fourEyesChecks, checkFourEyes)],
});
