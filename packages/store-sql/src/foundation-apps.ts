import type { TableSpec } from "./table-spec.js";

/** Tables of the foundation for applications that people sign on to. */
export const APP_TABLES: readonly TableSpec[] = [
  {
    name: "saml_apps",
    scope: "tenant",
    columns: { status: "text", name: "text", entity_id: "text", category: "text", updated_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["category"], by: "created_at" },
      { where: [], by: "name" },
      { where: [], by: "updated_at" },
    ],
    unique: { entityId: ["entity_id"], name: ["name"] },
    searchable: true,
  },
  {
    name: "saml_app_usage",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "saml_assignments",
    scope: "tenant",
    columns: { app_id: "text", subject: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["app_id"], by: "created_at" },
      { where: ["subject"], by: "created_at" },
    ],
    unique: { subject: ["app_id", "subject"] },
    searchable: false,
  },
  {
    name: "saml_keys",
    scope: "tenant",
    columns: { slot: "text", retires_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "retires_at" },
    ],
    unique: { slot: ["slot"] },
    searchable: false,
  },
  {
    name: "saml_sessions",
    scope: "tenant",
    columns: {
      user_id: "text",
      app_id: "text",
      name_id: "text",
      state: "text",
      logout_id: "text",
      ends_at: "time",
      tell_at: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["app_id"], by: "created_at" },
      { where: ["user_id", "state"], by: "created_at" },
      { where: ["app_id", "state"], by: "created_at" },
      { where: ["app_id", "name_id", "state"], by: "created_at" },
      { where: ["logout_id"], by: "created_at" },
      { where: [], by: "ends_at" },
      { where: [], by: "tell_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "saml_nonces",
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
    name: "saml_used_messages",
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
    name: "hidden_apps",
    scope: "tenant",
    columns: { user_id: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["user_id"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
];
