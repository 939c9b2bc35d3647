import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for people, credentials and tokens. */
export const IDENTITY_TABLES: readonly TableSpec[] = [
  {
    name: "users",
    scope: "platform",
    columns: { username: "text", status: "text", name: "text", roles: "texts", ownership: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["ownership"], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: [], by: "username" },
      { where: [], by: "name" },
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
    name: "refresh_tokens",
    scope: "platform",
    columns: { token_hash: "text", family_id: "text", token_id: "text", expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["family_id"], by: "created_at" },
      { where: ["token_id"], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: { tokenHash: ["token_hash"] },
    searchable: false,
  },
  {
    name: "used_assertions",
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
    name: "revoked_tokens",
    scope: "platform",
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
    name: "machine_clients",
    scope: "platform",
    columns: { issuer: "text", subject: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["issuer", "subject"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "client_credentials",
    scope: "tenant",
    columns: { identity_id: "text", expires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["identity_id"], by: "created_at" },
      { where: [], by: "expires_at" },
    ],
    unique: {},
    searchable: false,
  },
];
