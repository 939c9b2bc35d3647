import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for frameworks, assessments of controls and the history of posture. */
export const COMPLIANCE_TABLES: readonly TableSpec[] = [
  {
    name: "compliance_records",
    scope: "tenant",
    columns: {
      status: "text",
      workflow: "text",
      framework: "text",
      control_id: "text",
      scope: "text",
      assessor: "text",
      evidence_until: "time",
      next_review_at: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["assessor"], by: "created_at" },
      { where: ["scope"], by: "created_at" },
      { where: ["framework"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: [], by: "evidence_until" },
      { where: [], by: "next_review_at" },
    ],
    unique: { control: ["framework", "control_id", "scope"] },
    searchable: true,
    retain: true,
  },
  {
    name: "compliance_frameworks",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "compliance_adoptions",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "posture_snapshots",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
];
