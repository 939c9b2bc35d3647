import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for uses of access. */
export const ACCESS_USE_TABLES: readonly TableSpec[] = [
  {
    name: "access_uses",
    scope: "tenant",
    columns: {
      at: "time",
      assignment_id: "text",
      connector_instance_id: "text",
      external_event_id: "text",
      part: "integer",
      outcome: "text",
      source: "text",
      tool: "text",
      lost_at: "time",
      listed_for: "text",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["listed_for"], by: "at" },
      { where: ["assignment_id"], by: "at" },
      { where: [], by: "at" },
      { where: [], by: "lost_at", partial: true },
    ],
    unique: { event: ["connector_instance_id", "external_event_id", "part"] },
    searchable: false,
  },
  {
    name: "access_usage_days",
    scope: "tenant",
    columns: { subject: "text", day: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["subject"], by: "day" },
      { where: [], by: "day" },
    ],
    unique: { day: ["subject", "day"] },
    searchable: false,
  },
  {
    name: "access_usage_feeds",
    scope: "tenant",
    columns: { connector_instance_id: "text", due_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "due_at", partial: true },
    ],
    unique: { instance: ["connector_instance_id"] },
    searchable: false,
  },
  {
    name: "agent_tool_tokens",
    scope: "tenant",
    columns: {
      status: "text",
      asset_id: "text",
      expires_at: "time",
      ends_at: "time",
      live_for: "text",
      live_of: "text",
      live_within: "text",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
      { where: ["live_for"], by: "expires_at" },
      { where: ["live_of"], by: "created_at" },
      { where: ["live_within"], by: "created_at" },
      { where: [], by: "ends_at", partial: true },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "agent_tool_keys",
    scope: "platform",
    columns: { expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "agent_tool_calls",
    scope: "tenant",
    columns: { key: "text", expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: { key: ["key"] },
    searchable: false,
  },
];
