import type { TableSpec } from "./table-spec.js";

/** The tables of typed records beside assets, as they were when the foundation was written. */
export const RECORD_TABLES: readonly TableSpec[] = [
  {
    name: "ai_agents",
    scope: "tenant",
    columns: { status: "text", asset_id: "text", address: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["address"], by: "created_at" },
    ],
    unique: { asset: ["asset_id"] },
    searchable: false,
  },
  {
    name: "ai_tools",
    scope: "tenant",
    columns: { status: "text", asset_id: "text", server_id: "text", tool_name: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["server_id"], by: "created_at" },
      { where: ["server_id", "status"], by: "created_at" },
    ],
    unique: { asset: ["asset_id"], name: ["server_id", "tool_name"] },
    searchable: false,
  },
  {
    name: "ai_identities",
    scope: "tenant",
    columns: { status: "text", asset_id: "text", issuer: "text", subject: "text", expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: { asset: ["asset_id"], subject: ["issuer", "subject"] },
    searchable: false,
  },
  {
    name: "ai_models",
    scope: "tenant",
    columns: { status: "text", asset_id: "text", provider_due_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "provider_due_at" },
    ],
    unique: { asset: ["asset_id"] },
    searchable: false,
  },
  {
    name: "ai_model_aliases",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
];
