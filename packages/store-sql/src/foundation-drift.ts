import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for differences between targets and what was granted. */
export const DRIFT_TABLES: readonly TableSpec[] = [
  {
    name: "access_drift",
    scope: "tenant",
    columns: {
      status: "text",
      kind: "text",
      severity: "text",
      connector_instance_id: "text",
      asset_id: "text",
      assignment_id: "text",
      subject: "text",
      standing_of: "text",
      suspected_of: "text",
      standing_on: "text",
      open_of: "text",
      open_kind: "text",
      open_for: "text",
      repaired_at: "time",
      accepted_until: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
      { where: ["connector_instance_id"], by: "repaired_at" },
      { where: ["asset_id"], by: "created_at" },
      { where: ["assignment_id"], by: "created_at" },
      { where: ["standing_of"], by: "created_at" },
      { where: ["suspected_of"], by: "created_at" },
      { where: ["standing_on"], by: "created_at" },
      { where: ["open_for"], by: "created_at" },
      { where: [], by: "accepted_until" },
    ],
    unique: { subject: ["connector_instance_id", "subject"] },
    searchable: false,
  },
  {
    name: "access_drift_scans",
    scope: "tenant",
    columns: { status: "text", connector_instance_id: "text", running_for: "text", tells_of: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
      { where: ["tells_of"], by: "created_at" },
    ],
    unique: { running: ["running_for"] },
    searchable: false,
  },
  {
    name: "access_drift_scan_runs",
    scope: "tenant",
    columns: { scan_id: "text", due_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "due_at" },
    ],
    unique: { scan: ["scan_id"] },
    searchable: false,
  },
];
