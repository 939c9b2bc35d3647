export { connectorCalls, type InstanceCall } from "./calls/run/calls.js";
export { refusalOf } from "./calls/run/refusal.js";
export { isAnomalous, type MassChange } from "./circuit-breaker/rules.js";
export { FAILURE } from "./instances/fields.js";
export { requireOwners } from "./instances/owners/owners.js";
export { type InstanceHolder, instanceHolders, type RemovalMode } from "./instances/remove/holders.js";
export { ConnectorInstance, instances } from "./instances/schema.js";
export {
  IncompleteBecause,
  incompleteWith,
  LeftOutOfListing,
  leftOutWith,
  StoredTrail,
} from "./listing/schema.js";
export { jobFailure } from "./steps/run/failure.js";
export { runSteps, type SteppedWork, type StepRun } from "./steps/run/run.js";
