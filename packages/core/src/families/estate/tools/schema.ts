import { anyOf, listed } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { InvolvedParties, NONE_INVOLVED, RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Label } from "../assets/fields.js";
import { joined, recordText } from "../records/declare/columns.js";
import { type AssetReference, joinedShape } from "../records/declare/kind.js";
import { AssetId, JsonObject } from "../records/fields.js";
import { toolStatus } from "./machine.js";
import { NO_PIN, Pin } from "./pin-tool.js";

export const ORIGINS = ["mcp", "http", "builtin", "function"] as const;
export const EFFECTS = ["read", "write", "destructive", "external"] as const;

const SCHEMA_BYTES = 65_536;
const DESCRIPTION_LENGTH = 16_384;

/** The content of a tool. For tools of a scanned MCP server, only scans set it. */
export const ToolContentFields = z.object({
  toolName: listed(Label.nullable().meta({ description: "The name it is called by; one per server." })),
  title: listed(Label.nullable().meta({ description: "What it calls itself." })),
  toolDescription: listed(
    z
      .string()
      .max(DESCRIPTION_LENGTH)
      .nullable()
      .meta({ description: "What it tells models of itself; `description` is what you say of it." }),
  ),
  inputSchema: listed(JsonObject(SCHEMA_BYTES).nullable().meta({ description: "JSON Schema of its arguments." })),
  outputSchema: listed(JsonObject(SCHEMA_BYTES).nullable().meta({ description: "JSON Schema of its results." })),
  annotations: listed(
    JsonObject(SCHEMA_BYTES).nullable().meta({ description: "What it claims of its effects. Not to be trusted." }),
  ),
  execution: listed(JsonObject(SCHEMA_BYTES).nullable().meta({ description: "How it is run, such as as a task." })),
  meta: listed(
    JsonObject(SCHEMA_BYTES)
      .nullable()
      .meta({ description: "Its `_meta`: what clients of one kind are told. Some of them act by it." }),
  ),
});

/** Why any asset may be named as one that is used. */
const STOPS = "What it depends on may stop it, and opens nothing.";

/** What a caller may set, at the top level of the body or in `configuration`. */
export const ToolFields = z.object({
  origin: listed(z.enum(ORIGINS).meta({ description: "What it is offered by." })),
  serverId: anyOf(AssetId("The MCP server that exposes it."), "mcp_server", STOPS),
  ...ToolContentFields.shape,
  effects: z
    .array(z.enum(EFFECTS))
    .max(EFFECTS.length)
    .meta({ description: "What calling it may do, as a reviewer has found; until then what its annotations claim." }),
  requiresApproval: z.boolean().meta({ description: "Every call needs somebody's consent." }),
});
export type ToolFields = z.output<typeof ToolFields>;

const ReadOnlyFields = z.object({
  effectsFrom: z.enum(["nobody", "annotations", "name", "review"]).meta({
    description: "Who says what `effects` says. `name`: its name, which its annotations contradict.",
  }),
  pin: Pin.meta({ description: "What it says against what was approved." }),
  seenAt: Time.nullable().meta({ description: "When a scan of its server first found it to say what it says now." }),
  reviewed: z
    .object({
      by: z.string().meta({ description: "Id of the reviewer." }),
      at: Time.meta({ description: "The time when it happened." }),
      rationale: z.string().nullable().meta({ description: "The reason in words." }),
    })
    .nullable()
    .meta({ description: "The last review of it; `null`: none." }),
  involved: InvolvedParties,
  relatedParty: RelatedParty,
});
export const TOOL_READ_ONLY = Object.keys(ReadOnlyFields.shape);

export const TOOL_DEFAULTS: ToolFields & z.output<typeof ReadOnlyFields> = {
  origin: "function",
  serverId: null,
  toolName: null,
  title: null,
  toolDescription: null,
  inputSchema: null,
  outputSchema: null,
  annotations: null,
  execution: null,
  meta: null,
  effects: [],
  requiresApproval: false,
  effectsFrom: "nobody",
  pin: NO_PIN,
  seenAt: null,
  reviewed: null,
  involved: NONE_INVOLVED,
  relatedParty: false,
};

/** A tool as it is stored and served. */
export const Tool = z
  .object({ ...joinedShape(z.enum(statesOf(toolStatus))), ...ToolFields.shape, ...ReadOnlyFields.shape })
  .meta({ id: "AiTool" });
export type Tool = z.output<typeof Tool>;

/** What a reviewer looks at. Other fields do not involve who changes them in the review. */
const REVIEWED: readonly string[] = ["name", "owner", ...Object.keys(ToolFields.shape)];

/** A server exposes its tools. */
export const toolReferences: readonly AssetReference[] = [
  { field: "serverId", assetType: "mcp_server", relation: "exposes", end: "source" },
];

/** Tools: one per asset of type `tool`, and one per server and name where both are known. */
export const tools = defineCollection<Tool>({
  name: "ai_tools",
  prefix: "tol",
  schema: Tool,
  resource: { type: "ai_tool", event: "tool", path: "/api/v1/ai/tools" },
  otherSide: ({ assetId }) => assetId,
  related: ({ assetId, serverId }) => (serverId === null ? [assetId] : [assetId, serverId]),
  machines: { status: toolStatus },
  involved: {
    free: Object.keys(Tool.shape).filter((field) => !REVIEWED.includes(field)),
    owners: ({ owner }) => (owner ? [owner.id] : []),
  },
  fields: {
    ...joined.fields,
    origin: { type: "text" },
    effects: { type: "texts" },
    requiresApproval: { type: "boolean" },
    serverId: { type: "text", compare: "exact" },
    toolName: { type: "text", compare: "exact" },
  },
  unique: { asset: ["assetId"], name: ["serverId", "toolName"] },
  indexes: [{ where: ["serverId"] }, { where: ["toolName"] }, ...joined.indexes],
  filters: {
    status: { values: statesOf(toolStatus) },
    origin: { values: ORIGINS },
    effect: { field: "effects", values: EFFECTS, description: "What calling it may do." },
    serverId: { ids: "ai_asset", description: "The MCP server that exposes it." },
    requiresApproval: { type: "boolean" },
    ...joined.filters,
  },
  orders: joined.orders,
  counted: ["status", "governanceState"],
  search: (tool) => recordText(tool, tool.toolName, tool.title, tool.toolDescription),
  retain: true,
  ...joined.approval,
});
