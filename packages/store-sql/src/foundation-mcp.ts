import type { TableSpec } from "./table-spec.js";

/** MCP servers and what is kept of them beside their records, as it was when the foundation was written. */
export const MCP_TABLES: readonly TableSpec[] = [
  {
    name: "mcp_servers",
    scope: "tenant",
    columns: { status: "text", asset_id: "text", connection: "text", manifest_state: "text", address: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["address"], by: "created_at" },
    ],
    unique: { asset: ["asset_id"] },
    searchable: false,
  },
  {
    name: "mcp_server_secrets",
    scope: "tenant",
    columns: { server_id: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { server: ["server_id"] },
    searchable: false,
  },
  {
    name: "mcp_server_snapshots",
    scope: "tenant",
    columns: { server_id: "text", role: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { role: ["server_id", "role"] },
    searchable: false,
  },
  {
    name: "mcp_server_checks",
    scope: "tenant",
    columns: { server_id: "text", due_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "due_at" },
    ],
    unique: { server: ["server_id"] },
    searchable: false,
  },
  {
    name: "mcp_names",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
];
