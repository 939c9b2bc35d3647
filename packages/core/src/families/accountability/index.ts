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
} from "./origins/record-origin.js";
