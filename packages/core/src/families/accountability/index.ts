export { refusedDeciders, refusedInMatters } from "./conflict-of-interest/check/may-decide.js";
export { refuseSelfAppointment } from "./conflict-of-interest/check/self-appointment.js";
export { FlaggedDecision, flaggedDecisions } from "./flagged/schema.js";
export {
  recordAccount,
  recordCredential,
  recordEarlierId,
  recordMachine,
  recordOwner,
  recordOwnPassword,
  recordRoles,
} from "./origins/record-origin.js";
