import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for evaluation runs and their latest results. */
export const EVALUATION_TABLES: readonly TableSpec[] = [
  {
    name: "evaluation_runs",
    scope: "tenant",
    columns: {
      status: "text",
      trigger: "text",
      policy_id: "text",
      asset_id: "text",
      waiting: "text",
      finished_at: "time",
      active: "boolean",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
      { where: ["policy_id"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["trigger"], by: "created_at" },
      { where: ["active"], by: "created_at" },
      { where: [], by: "finished_at", partial: true },
    ],
    unique: { waiting: ["waiting"] },
    searchable: false,
    retain: true,
  },
  {
    name: "evaluation_work",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "asset_results",
    scope: "tenant",
    columns: { judged: "text", findings: "integer" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "findings" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "evaluation_marks",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "rule_standings",
    scope: "tenant",
    columns: { policy_id: "text", rule_key: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { rule: ["policy_id", "rule_key"] },
    searchable: false,
  },
];
