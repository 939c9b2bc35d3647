import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for pending approvals of decisions. */
export const DECISION_TABLES: readonly TableSpec[] = [
  {
    name: "decision_approvals",
    scope: "tenant",
    columns: {
      status: "text",
      action: "text",
      requested_by: "text",
      session_id: "text",
      asset_ids: "texts",
      open_key: "text",
      due_at: "time",
      over_since: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["session_id"], by: "created_at" },
      { where: ["requested_by"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: [], by: "due_at" },
      { where: [], by: "over_since", partial: true },
    ],
    unique: { open: ["open_key"] },
    searchable: false,
    retain: true,
  },
];
