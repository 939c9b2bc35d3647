import { defineRecordKind } from "../records/kind.js";
import { AGENT_DEFAULTS, type Agent, AgentFields, agentReferences, agents } from "./schema.js";
import { agentStatus } from "./status.js";

/** Agents as the typed records of assets of type `agent`. */
export const agentKind = defineRecordKind<Agent, AgentFields>({
  assetType: "agent",
  collection: agents,
  status: { of: agentStatus },
  fields: AgentFields,
  defaults: AGENT_DEFAULTS,
  references: agentReferences,
  material: (before, after) => [
    ...(["modelIds", "toolIds", "mcpServerIds"] as const).filter((field) =>
      after[field].some((id) => !before[field].includes(id)),
    ),
    ...(["identityId", "instructionsDigest", "endpointUrl"] as const).filter((field) => before[field] !== after[field]),
  ],
});
