import type { McpEndpoint } from "#connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { InvolvedParties, NONE_INVOLVED } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { LIFECYCLE } from "../assets/lifecycle/lifecycle-states.js";
import { addressKey } from "../records/declare/address.js";
import { joined, recordText } from "../records/declare/columns.js";
import { type JoinedRecord, joinedShape } from "../records/declare/kind.js";
import { Auth, MANIFEST_STATES, McpServerFields, ProbedFields, Protocol, TRANSPORTS, TRUST_MODES } from "./fields.js";
import { mcpConnection } from "./machine.js";

/** An MCP server as it is stored and served. */
export const McpServer = z
  .object({
    ...joinedShape(z.enum(LIFECYCLE)),
    ...McpServerFields.shape,
    auth: Auth.meta({ description: "How Reeve authenticates to it." }),
    protocol: Protocol.meta({ description: "How the version is negotiated." }),
    connection: z.enum(statesOf(mcpConnection)).meta({ description: "Whether probes reach it." }),
    ...ProbedFields.shape,
    involved: InvolvedParties,
  })
  .meta({ id: "McpServer" });
export type McpServer = z.output<typeof McpServer>;

export const MCP_SERVER_READ_ONLY = ["connection", ...Object.keys(ProbedFields.shape), "involved"];

export const MCP_SERVER_DEFAULTS: Omit<McpServer, keyof JoinedRecord> = {
  transport: "streamable_http",
  url: null,
  command: null,
  launch: null,
  auth: { type: "none", headerName: null, clientId: null, secretSetAt: null },
  registryName: null,
  package: null,
  authorization: null,
  protocol: { mode: "auto", pinnedVersion: null, negotiated: null, era: null, supportedVersions: [] },
  client: { name: null, capabilities: [] },
  healthCheck: { enabled: true, intervalSec: 300, timeoutMs: 5_000, threshold: 3 },
  scanIntervalSec: null,
  trustMode: "baseline",
  connection: "unknown",
  serverInfo: null,
  instructionsDigest: null,
  capabilities: null,
  manifest: {
    alg: "mcp-manifest/1",
    current: null,
    approved: null,
    state: "unapproved",
    fetchedAt: null,
    observer: null,
  },
  consecutiveFailures: 0,
  lastProbeAt: null,
  lastProbeOkAt: null,
  lastProbeError: null,
  toolCounts: { approved: 0, pending_review: 0, changed: 0, blocked: 0, removed: 0 },
  involved: NONE_INVOLVED,
};

/** What says which server it is. Other fields do not involve who changes them in the approval of its tools. */
const REPORTED: readonly string[] = [
  "name",
  "owner",
  "transport",
  "url",
  "command",
  "launch",
  "auth",
  "registryName",
  "package",
  "authorization",
  "client",
];

/** How servers are found by where they are: by the key of an address, or by the name of a command. */
export const endpointAddress = ({ url, command }: McpEndpoint): string | null =>
  url === null && command !== null ? `command:${command}` : addressKey(url);

/** MCP servers: one per asset of type `mcp_server`. */
export const mcpServers = defineCollection<McpServer>({
  name: "mcp_servers",
  prefix: "mcp",
  schema: McpServer,
  resource: { type: "mcp_server", event: "mcp_server", path: "/api/v1/ai/mcp-servers" },
  related: ({ assetId }) => [assetId],
  otherSide: ({ assetId }) => assetId,
  machines: { connection: mcpConnection },
  involved: {
    free: Object.keys(McpServer.shape).filter((field) => !REPORTED.includes(field)),
    owners: ({ owner }) => (owner ? [owner.id] : []),
  },
  fields: {
    ...joined.fields,
    transport: { type: "text" },
    trustMode: { type: "text" },
    lastProbeAt: { type: "time" },
    connection: { type: "text" },
    manifestState: { type: "text", of: ({ manifest }) => manifest.state },
    address: { type: "text", of: endpointAddress },
    registryName: { type: "text", compare: "exact" },
  },
  unique: { asset: ["assetId"] },
  indexes: [...joined.indexes, { where: ["address"] }, { where: ["registryName"] }, { where: [], by: "lastProbeAt" }],
  filters: {
    status: { values: LIFECYCLE },
    connection: { values: statesOf(mcpConnection), description: "Whether probes reach it." },
    manifestState: { values: MANIFEST_STATES, description: "Whether it offers what was approved." },
    transport: { values: TRANSPORTS },
    trustMode: { values: TRUST_MODES },
    ...joined.filters,
  },
  orders: { ...joined.orders, lastProbeAt: "lastProbeAt" },
  counted: ["status", "connection", "manifestState", "governanceState"],
  search: (server) => recordText(server, server.url, server.registryName),
  retain: true,
  ...joined.approval,
});
