import { anyOf, listed, related } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Label, Sha256 } from "../assets/fields.js";
import { addressKey } from "../records/declare/address.js";
import { joined, recordText } from "../records/declare/columns.js";
import { type AssetReference, joinedShape } from "../records/declare/kind.js";
import { AssetId, AssetIds, HttpUrl } from "../records/fields.js";
import { AGENT_STATUSES } from "./agent-status.js";
import { AgentCard } from "./card/card.js";
import { SIGNATURE_STATUSES } from "./card/signatures.js";

export const AGENT_KINDS = ["assistant", "workflow", "autonomous", "coding", "other"] as const;

const Limits = z.strictObject({
  maxIterations: z.int().min(1).max(1_000_000).nullable().default(null).meta({ description: "Rounds of the model." }),
  maxCostUsd: z.number().min(0).max(1_000_000).nullable().default(null).meta({ description: "Cost in US dollars." }),
  maxDurationSec: z
    .int()
    .min(1)
    .max(31_536_000)
    .nullable()
    .default(null)
    .meta({ description: "Seconds from its start." }),
  idleTimeoutSec: z
    .int()
    .min(1)
    .max(31_536_000)
    .nullable()
    .default(null)
    .meta({ description: "Seconds of silence until it expires." }),
});

/** Why any asset may be named as one that is used. */
const STOPS = "What it depends on may stop it, and opens nothing.";

/** What a caller may set, at the top level of the body or in `configuration`. */
export const AgentFields = z.object({
  kind: listed(z.enum(AGENT_KINDS).meta({ description: "What kind of agent." })),
  framework: listed(Label.nullable().meta({ description: "What it is built with.", example: "langgraph" })),
  modelIds: anyOf(AssetIds("Models it uses."), "ai_model", STOPS),
  toolIds: anyOf(AssetIds("Tools it uses."), "ai_tool", STOPS),
  mcpServerIds: anyOf(AssetIds("MCP servers it uses."), "mcp_server", STOPS),
  identityId: related(AssetId("The identity it runs as."), "ai_identity", "caller"),
  endpointUrl: listed(HttpUrl.nullable().meta({ description: "Where it is reached." })),
  agentCard: listed(
    AgentCard.nullable().meta({ description: "Its card in the Agent2Agent protocol, kept as it was given." }),
  ),
  instructionsDigest: listed(Sha256.nullable()),
  limits: Limits.meta({ description: "Bounds of one session; `null` for none." }),
  heartbeatAt: listed(Time.nullable().meta({ description: "When it last reported itself, as last told." })),
});
export type AgentFields = z.output<typeof AgentFields>;

const ReadOnlyFields = z.object({
  cardDigest: Sha256.nullable().meta({ description: "SHA-256 of the card in canonical form without its signatures." }),
  signatureStatus: z.enum(SIGNATURE_STATUSES).meta({
    description:
      "What trusted keys said of the card's signatures when it was last given. `unverified`: none of the keys is known here.",
  }),
});
export const AGENT_READ_ONLY = Object.keys(ReadOnlyFields.shape);

export const AGENT_DEFAULTS: AgentFields & z.output<typeof ReadOnlyFields> = {
  kind: "other",
  framework: null,
  modelIds: [],
  toolIds: [],
  mcpServerIds: [],
  identityId: null,
  endpointUrl: null,
  agentCard: null,
  instructionsDigest: null,
  limits: { maxIterations: null, maxCostUsd: null, maxDurationSec: null, idleTimeoutSec: null },
  heartbeatAt: null,
  cardDigest: null,
  signatureStatus: "none",
};

/** An agent as it is stored and served. */
export const Agent = z
  .object({ ...joinedShape(z.enum(AGENT_STATUSES)), ...AgentFields.shape, ...ReadOnlyFields.shape })
  .meta({ id: "AiAgent" });
export type Agent = z.output<typeof Agent>;

export const agentReferences: readonly AssetReference[] = [
  { field: "modelIds", assetType: "model", relation: "uses", end: "target" },
  { field: "toolIds", assetType: "tool", relation: "uses", end: "target" },
  { field: "mcpServerIds", assetType: "mcp_server", relation: "uses", end: "target" },
  { field: "identityId", assetType: "identity", relation: "runs_as", end: "target" },
];

/** Agents: one per asset of type `agent`. */
export const agents = defineCollection<Agent>({
  name: "ai_agents",
  prefix: "agt",
  schema: Agent,
  resource: { type: "ai_agent", event: "agent", path: "/api/v1/ai/agents" },
  related: ({ assetId }) => [assetId],
  otherSide: ({ assetId }) => assetId,
  fields: {
    ...joined.fields,
    kind: { type: "text" },
    modelIds: { type: "texts" },
    toolIds: { type: "texts" },
    mcpServerIds: { type: "texts" },
    identityId: { type: "text" },
    heartbeatAt: { type: "time" },
    address: { type: "text", of: ({ endpointUrl }) => addressKey(endpointUrl) },
  },
  unique: { asset: ["assetId"] },
  indexes: [...joined.indexes, { where: ["address"] }, { where: ["identityId"] }, { where: [], by: "heartbeatAt" }],
  filters: {
    status: { values: AGENT_STATUSES },
    kind: { values: AGENT_KINDS },
    modelId: { field: "modelIds", ids: "ai_asset", description: "A model that it uses." },
    toolId: { field: "toolIds", ids: "ai_asset", description: "A tool that it uses." },
    mcpServerId: { field: "mcpServerIds", ids: "ai_asset", description: "An MCP server that it uses." },
    identityId: { ids: "ai_asset", description: "The identity that it runs as." },
    ...joined.filters,
  },
  orders: { ...joined.orders, heartbeatAt: "heartbeatAt" },
  counted: ["status", "governanceState"],
  search: (agent) => recordText(agent, agent.framework, agent.endpointUrl),
  retain: true,
  ...joined.approval,
});
