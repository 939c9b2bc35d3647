import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ToolConstraints } from "./constraints/schema.js";
import { agentToolTokenStatus } from "./machine.js";

/** The one door that takes these tokens. */
export const AUDIENCE = "codehost";

/** A token of an asset for tools, without the token itself, as it is stored and served. */
export const AgentToolToken = z
  .object({
    ...recordShape(z.enum(statesOf(agentToolTokenStatus))),
    audience: z.enum([AUDIENCE]).meta({ description: "Where it is taken." }),
    last4: z.string().meta({ description: "Its last four characters." }),
    assetId: z.string().meta({ description: "The asset that runs tools with it." }),
    issuedBy: z
      .object({
        kind: z.enum(["user", "client", "system"]).meta({ description: "What kind of caller." }),
        id: z.string().meta({ description: "Id of the caller." }),
      })
      .meta({ description: "Who asked for it." }),
    connectorInstanceId: z.string().nullable().meta({ description: "The target; `null` for a trap." }),
    assignmentIds: z.array(z.string()).meta({ description: "The access that it rests on, looked at with each call." }),
    tools: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the tool." }),
          schemaHash: z.string().meta({ description: "Hash of the tool as it was then." }),
        }),
      )
      .meta({ description: "Tools that it opens." }),
    constraints: ToolConstraints.meta({ description: "What narrows it further." }),
    callsUsed: z.int().min(0).meta({ description: "Calls that it was used for." }),
    bytesUsed: z.int().min(0).meta({ description: "Bytes of arguments and results so far." }),
    /** The minute that is counted, and its calls. */
    minute: Time.meta({ description: "The minute of the last call." }),
    minuteCalls: z.int().min(0).meta({ description: "Calls of this minute." }),
    expiresAt: Time.meta({ description: "When it ends." }),
    endedAt: Time.nullable().meta({ description: "When it was ended before." }),
    endReason: z.string().nullable().meta({ description: "The reason why the token ended." }),
    findingId: z.string().nullable().meta({ description: "The finding that halted its asset, if one did." }),
    lastUsedAt: Time.nullable().meta({ description: "When it was last used." }),
    lastUsedFrom: z.string().nullable().meta({ description: "The network that it was last used from." }),
    sessionId: z.string().nullable().meta({ description: "The session that it belongs to." }),
    honeytoken: z.boolean().meta({ description: "A trap: good for nothing, and whoever uses it is told of." }),
  })
  .meta({ id: "AgentToolToken" });
export type AgentToolToken = z.output<typeof AgentToolToken>;

const whileActive =
  (of: (token: AgentToolToken) => string | null) =>
  (token: AgentToolToken): string | null =>
    token.status === "active" ? of(token) : null;

/** Tokens of assets for tools. What they rest on ends them. */
export const agentToolTokens = defineCollection<AgentToolToken>({
  name: "agent_tool_tokens",
  prefix: "att",
  schema: AgentToolToken,
  resource: {
    type: "agent_tool_token",
    event: "access.token",
    path: "/api/v1/agent-tool-tokens",
    alsoAt: ["/api/v1/ai-assets/{assetId}/agent-tool-tokens"],
    readBy: ["access:read"],
  },
  machines: { status: agentToolTokenStatus },
  related: ({ assetId, connectorInstanceId, sessionId, findingId }) =>
    [assetId, connectorInstanceId, sessionId, findingId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    assetId: { type: "text" },
    expiresAt: { type: "time" },
    endsAt: { type: "time", of: whileActive(({ expiresAt }) => expiresAt) },
    liveFor: { type: "text", of: whileActive(({ assetId }) => assetId) },
    liveOf: { type: "text", of: whileActive(({ connectorInstanceId }) => connectorInstanceId) },
    liveWithin: { type: "text", of: whileActive(({ sessionId }) => sessionId) },
  },
  indexes: [
    { where: ["assetId"] },
    { where: ["liveFor"], by: "expiresAt" },
    { where: ["liveOf"] },
    { where: ["liveWithin"] },
    { where: [], by: "endsAt", partial: true },
    { where: [], by: "expiresAt" },
  ],
  filters: { status: { values: statesOf(agentToolTokenStatus), changesAt: "endsAt" } },
  timeTransition: {
    by: "endsAt",
    machine: agentToolTokenStatus,
    event: "expire",
    reason: "Its time was over.",
  },
});

const AgentToolKey = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  tokenId: z.string(),
  expiresAt: Time,
});
export type AgentToolKey = z.output<typeof AgentToolKey>;

/** Which token a keyed hash belongs to. Looked up without a tenant, because nobody is signed in. */
export const agentToolKeys = defineCollection<AgentToolKey>({
  name: "agent_tool_keys",
  prefix: null,
  scope: "platform",
  schema: AgentToolKey,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
});

const AgentToolCall = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Hash of asset, tool and the caller's key. */
  key: z.string(),
  argsHash: z.string(),
  useId: z.string(),
  /** `lost`: it was begun, and nobody knows what came of it. */
  state: z.enum(["running", "done", "lost"]),
  /** The sealed answer, of a write without a result that was too long to keep; `null` for such a read. */
  answer: z.string().nullable(),
  /** When a call that runs is given up. */
  lostAt: Time,
  expiresAt: Time,
});
export type AgentToolCall = z.output<typeof AgentToolCall>;

/** Calls of tools that carried a key, so that a repetition is not made again. */
export const agentToolCalls = defineCollection<AgentToolCall>({
  name: "agent_tool_calls",
  prefix: "atc",
  schema: AgentToolCall,
  fields: { key: { type: "text", compare: "exact" }, expiresAt: { type: "time" } },
  unique: { key: ["key"] },
  indexes: [{ where: [], by: "expiresAt" }],
  secrets: ["answer", "argsHash"],
});
