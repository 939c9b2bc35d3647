import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for imports from connected systems, diagnostics and counts of calls. */
export const IMPORT_TABLES: readonly TableSpec[] = [
  {
    name: "connector_imports",
    scope: "tenant",
    columns: {
      status: "text",
      connector_instance_id: "text",
      running_for: "text",
      waiting_for: "text",
      ends_at: "time",
      over_since: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["waiting_for"], by: "created_at" },
      { where: [], by: "ends_at", partial: true },
      { where: [], by: "over_since", partial: true },
    ],
    unique: { running: ["running_for"] },
    searchable: false,
  },
  {
    name: "connector_import_items",
    scope: "tenant",
    columns: { import_id: "text", action: "text", result: "text", subject: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["import_id"], by: "created_at" },
    ],
    unique: { subject: ["import_id", "subject"] },
    searchable: false,
  },
  {
    name: "connector_import_runs",
    scope: "tenant",
    columns: { import_id: "text", due_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "due_at", partial: true },
    ],
    unique: { import: ["import_id"] },
    searchable: false,
  },
  {
    name: "connector_assets",
    scope: "tenant",
    columns: { connector_instance_id: "text", asset_id: "text", subject: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
    ],
    unique: { subject: ["connector_instance_id", "subject"] },
    searchable: false,
  },
  {
    name: "connector_diagnostics",
    scope: "tenant",
    columns: { connector_instance_id: "text", status: "text", trigger: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "connector_checkups",
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
    name: "connector_traffic",
    scope: "tenant",
    columns: { connector_instance_id: "text", source: "text", hour: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["connector_instance_id"], by: "hour" },
      { where: [], by: "hour" },
    ],
    unique: { hour: ["connector_instance_id", "source", "hour"] },
    searchable: false,
  },
];
