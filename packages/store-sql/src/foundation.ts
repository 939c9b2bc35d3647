import type { Migration } from "./migration.js";
import type { TableSpec } from "./table-spec.js";

/** The tables of the first families, as they were when this migration was written. */
const TABLES: readonly TableSpec[] = [
  {
    name: "users",
    scope: "platform",
    columns: { username: "text", status: "text", ownership: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["ownership"], by: "created_at" },
    ],
    unique: { username: ["username"] },
    searchable: false,
  },
  {
    name: "credentials",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "signing_keys",
    scope: "tenant",
    columns: { slot: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { slot: ["slot"] },
    searchable: false,
  },
  {
    name: "attempts",
    scope: "tenant",
    columns: { ends_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "ends_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "one_time_codes",
    scope: "tenant",
    columns: { expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "address_proofs",
    scope: "tenant",
    columns: { expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "password_links",
    scope: "platform",
    columns: { token_hash: "text", mail: "text", next_try_at: "time", expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["mail"], by: "next_try_at" },
      { where: [], by: "expires_at" },
    ],
    unique: { token: ["token_hash"] },
    searchable: false,
  },
  {
    name: "tenants",
    scope: "platform",
    columns: { subdomain: "text", status: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { subdomain: ["subdomain"] },
    searchable: false,
  },
  {
    name: "data_keys",
    scope: "tenant",
    columns: { use: "text", slot: "text" },
    indexes: [{ where: [], by: "created_at" }],
    unique: { active: ["use", "slot"] },
    searchable: false,
  },
  {
    name: "entitlements",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "kill_switches",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "idempotency_keys",
    scope: "tenant",
    columns: { expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "outbox",
    scope: "tenant",
    columns: { state: "text", next_attempt_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["state"], by: "next_attempt_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "ai_assets",
    scope: "tenant",
    columns: {
      status: "text",
      governance_state: "text",
      asset_type: "text",
      provider: "text",
      environment: "text",
      external_id: "text",
      expires_at: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["asset_type"], by: "created_at" },
      { where: ["provider"], by: "created_at" },
      { where: ["environment"], by: "created_at" },
      { where: ["asset_type", "provider"], by: "created_at" },
      { where: ["asset_type", "environment"], by: "created_at" },
      { where: ["provider", "environment"], by: "created_at" },
      { where: ["asset_type", "provider", "environment"], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: { identity: ["asset_type", "provider", "external_id", "environment"] },
    searchable: true,
  },
  {
    name: "findings",
    scope: "tenant",
    columns: { asset_id: "text", blocking: "boolean" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["asset_id"], by: "created_at" },
      { where: ["asset_id", "blocking"], by: "created_at" },
    ],
    unique: {},
    searchable: true,
  },
];

/** The event log, the counters, and the tables of the first families. */
export const foundation: Migration = {
  number: 1,
  name: "foundation",
  tables: TABLES,
  kernel: (dialect) => dialect.kernel,
};
