export { connectorCalls, type InstanceCall } from "./calls/run/calls.js";
export { refusalOf } from "./calls/run/refusal.js";
export { isAnomalous, type MassChange } from "./circuit-breaker/rules.js";
export {
  IncompleteBecause,
  incompleteWith,
  LeftOutOfListing,
  leftOutWith,
  StoredTrail,
} from "./imports/listing-fields.js";
export { FAILURE } from "./instances/fields.js";
export { requireOwners } from "./instances/instance-owners.js";
export { type InstanceHolder, instanceHolders, type RemovalMode } from "./instances/remove-holders.js";
export { ConnectorInstance, instances } from "./instances/schema.js";
export { bindOwnConnectors, homeOf, ownConnector } from "./registry/own-connectors.js";
export { runSteps, type SteppedWork, type StepRun } from "./steps/run-step.js";
export { jobFailure } from "./steps/step-failure.js";
