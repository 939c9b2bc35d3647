import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for where accounts come from, and for decisions by related people. */
export const ACCOUNTABILITY_TABLES: readonly TableSpec[] = [
  {
    name: "origins",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "flagged_decisions",
    scope: "tenant",
    columns: { open: "boolean", open_on: "text", subject_id: "text", decided_by: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["open"], by: "created_at" },
      { where: ["subject_id"], by: "created_at" },
      { where: ["decided_by"], by: "created_at" },
    ],
    unique: { open: ["open_on"] },
    searchable: false,
  },
];
