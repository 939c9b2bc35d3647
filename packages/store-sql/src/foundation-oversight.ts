import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation that hold what runs and what is found wrong. */
export const OVERSIGHT_TABLES: readonly TableSpec[] = [
  {
    name: "ai_sessions",
    scope: "tenant",
    columns: {
      status: "text",
      agent_id: "text",
      identity_id: "text",
      user_id: "text",
      environment: "text",
      sensitivity: "text",
      parent_session_id: "text",
      live: "boolean",
      live_agent_id: "text",
      live_parent_id: "text",
      due_at: "time",
      unconfirmed: "text",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["agent_id"], by: "created_at" },
      { where: ["parent_session_id"], by: "created_at" },
      { where: ["live"], by: "created_at" },
      { where: ["live_agent_id"], by: "created_at" },
      { where: ["live_parent_id"], by: "created_at" },
      { where: [], by: "due_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "session_change_signals",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "ai_policies",
    scope: "tenant",
    columns: { status: "text", kind: "text", key: "text", severity: "text", evaluated: "boolean" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["severity"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["kind"], by: "created_at" },
      { where: ["kind", "evaluated"], by: "created_at" },
    ],
    unique: { key: ["key"] },
    searchable: true,
  },
  {
    name: "chain_checkpoints",
    scope: "tenant",
    columns: { status: "text", from_seq: "integer", to_seq: "integer", pruned: "boolean" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "to_seq" },
      { where: ["pruned"], by: "to_seq" },
      { where: ["status"], by: "to_seq" },
    ],
    unique: { range: ["from_seq"] },
    searchable: false,
  },
];
