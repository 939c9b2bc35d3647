import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for requests for access. */
export const ACCESS_REQUEST_TABLES: readonly TableSpec[] = [
  {
    name: "access_policies",
    scope: "tenant",
    columns: { kind: "text", effect: "text", enabled: "boolean", name: "text", in_force: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["in_force"], by: "created_at" },
    ],
    unique: { name: ["name"] },
    searchable: false,
  },
  {
    name: "access_requests",
    scope: "tenant",
    columns: {
      status: "text",
      asset_id: "text",
      connector_instance_id: "text",
      requested_by: "text",
      emergency: "boolean",
      changing: "text",
      changed: "text",
      auto_allowed_by: "text",
      allowed_at: "time",
      lapses_at: "time",
      work_at: "time",
      pending_expires_at: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
      { where: ["connector_instance_id"], by: "created_at" },
      { where: ["requested_by"], by: "created_at" },
      { where: ["changing"], by: "created_at" },
      { where: ["changed"], by: "created_at" },
      { where: ["auto_allowed_by"], by: "allowed_at", partial: true },
      { where: [], by: "lapses_at", partial: true },
      { where: [], by: "work_at", partial: true },
      { where: [], by: "pending_expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "access_open_grants",
    scope: "tenant",
    columns: { request_id: "text", grant_key: "text", asset_id: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["request_id"], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
    ],
    unique: { grant: ["grant_key"] },
    searchable: false,
  },
  {
    name: "access_asked_approvers",
    scope: "tenant",
    columns: { request_id: "text", user_id: "text", asset_id: "text", connector_instance_id: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["request_id"], by: "created_at" },
      { where: ["user_id"], by: "created_at" },
    ],
    unique: { person: ["request_id", "user_id"] },
    searchable: false,
  },
];
