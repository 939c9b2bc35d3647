export { type CallOptions, type ConnectorCalls, connectorCalls, type Listed, listAll, withContext } from "./calls.js";
export { ChaosConnector } from "./chaos/chaos-connector.js";
export type { ChaosMethod, Fault, Injection } from "./chaos/schedule.js";
export { type ScriptedTarget, scriptedTarget } from "./chaos/scripted-target.js";
export type { ConformanceSkip } from "./conformance/case.js";
export {
  type ConformanceOptions,
  conformanceCases,
  conformanceFaults,
  connectorConformance,
} from "./conformance/suite.js";
export type { Access, AccessToTry, Address, ConformanceTarget, Truth } from "./conformance/target.js";
export { type InstanceMemory, instanceMemory } from "./memory.js";
export { instanceMemoryContract } from "./memory-contract.js";
export type { Outgoing, RecordedEgress } from "./outgoing.js";
export { type ConnectorParts, type ConnectorPartsOptions, connectorParts, type LogLine } from "./parts.js";
