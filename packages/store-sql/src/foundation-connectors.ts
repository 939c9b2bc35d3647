import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for connections to systems. */
export const CONNECTOR_TABLES: readonly TableSpec[] = [
  {
    name: "connector_instances",
    scope: "tenant",
    columns: {
      status: "text",
      health: "text",
      provider_key: "text",
      provider_health: "text",
      environment: "text",
      governance_mode: "text",
      name: "text",
      updated_at: "time",
      maintenance_until: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["provider_key"], by: "created_at" },
      { where: [], by: "name" },
      { where: [], by: "updated_at" },
      { where: [], by: "maintenance_until", partial: true },
    ],
    unique: { name: ["name"] },
    searchable: true,
    retain: true,
  },
  {
    name: "connector_instance_secrets",
    scope: "tenant",
    columns: { instance_id: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { instance: ["instance_id"] },
    searchable: false,
  },
  {
    name: "connector_instance_states",
    scope: "tenant",
    columns: { instance_id: "text", key: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["instance_id"], by: "created_at" },
    ],
    unique: { key: ["instance_id", "key"] },
    searchable: false,
  },
  {
    name: "connector_instance_streaks",
    scope: "tenant",
    columns: { instance_id: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { instance: ["instance_id"] },
    searchable: false,
  },
  {
    name: "connector_configurations",
    scope: "tenant",
    columns: { instance_id: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["instance_id"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
];
