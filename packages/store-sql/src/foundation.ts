import { ACCESS_TABLES } from "./foundation-access.js";
import { ACCESS_REQUEST_TABLES } from "./foundation-access-requests.js";
import { ACCOUNTABILITY_TABLES } from "./foundation-accountability.js";
import { APP_TABLES } from "./foundation-apps.js";
import { COMPLIANCE_TABLES } from "./foundation-compliance.js";
import { CONNECTOR_TABLES } from "./foundation-connectors.js";
import { DRIFT_TABLES } from "./foundation-drift.js";
import { EVALUATION_TABLES } from "./foundation-evaluations.js";
import { FINDING_TABLES } from "./foundation-findings.js";
import { DECISION_TABLES } from "./foundation-governance-decisions.js";
import { IDENTITY_TABLES } from "./foundation-identity.js";
import { IMPORT_TABLES } from "./foundation-imports.js";
import { MCP_TABLES } from "./foundation-mcp.js";
import { OVERSIGHT_TABLES } from "./foundation-oversight.js";
import { RECORD_TABLES } from "./foundation-records.js";
import type { Migration } from "./migration.js";
import type { TableSpec } from "./table-spec.js";

/** Tables of the first resources. They are frozen, whatever the collections become. */
const TABLES: readonly TableSpec[] = [
  {
    name: "tenants",
    scope: "platform",
    columns: { subdomain: "text", external_id: "text", status: "text", active_alias: "text", claim_ends_at: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "claim_ends_at", partial: true },
    ],
    unique: { subdomain: ["subdomain"], alias: ["active_alias"], external: ["external_id"] },
    searchable: false,
  },
  {
    name: "subdomains",
    scope: "platform",
    columns: { held_until: "time" },
    indexes: [
      { where: [], by: "created_at" },
      { where: [], by: "held_until", partial: true },
    ],
    unique: {},
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
    name: "tenant_registry",
    scope: "tenant",
    columns: { status: "text", status_changed_at: "time", name: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
      { where: ["status"], by: "status_changed_at" },
      { where: [], by: "name" },
    ],
    unique: {},
    searchable: true,
    retain: true,
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
    columns: { status: "text" },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["status"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
  {
    name: "platform_settings",
    scope: "tenant",
    columns: {},
    indexes: [{ where: [], by: "created_at" }],
    unique: {},
    searchable: false,
  },
  {
    name: "due_marks",
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
      census: "text",
      provider: "text",
      environment: "text",
      external_id: "text",
      risk_tier: "text",
      owned: "boolean",
      owner: "text",
      sponsor: "text",
      team: "text",
      updated_at: "time",
      name: "text",
      labels: "texts",
      likeness: "text",
      expires_at: "time",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["owner"], by: "created_at" },
      { where: ["sponsor"], by: "created_at" },
      { where: ["team"], by: "created_at" },
      { where: ["provider"], by: "created_at" },
      { where: ["risk_tier"], by: "created_at" },
      { where: ["governance_state"], by: "created_at" },
      { where: ["asset_type"], by: "created_at" },
      { where: ["likeness"], by: "created_at" },
      { where: [], by: "updated_at" },
      { where: [], by: "name" },
      { where: [], by: "expires_at", partial: true },
    ],
    unique: { identity: ["asset_type", "provider", "external_id", "environment"] },
    searchable: true,
    retain: true,
  },
  {
    name: "asset_links",
    scope: "tenant",
    columns: {
      declared_by: "text",
      source_id: "text",
      target_id: "text",
      type: "text",
      runner_id: "text",
      runs_as_id: "text",
      contained_id: "text",
    },
    indexes: [
      { where: [], by: "created_at" },
      { where: ["declared_by"], by: "created_at" },
      { where: ["source_id"], by: "created_at" },
      { where: ["target_id"], by: "created_at" },
      { where: ["runner_id"], by: "created_at" },
      { where: ["runs_as_id"], by: "created_at" },
      { where: ["contained_id"], by: "created_at" },
    ],
    unique: {},
    searchable: false,
  },
  ...RECORD_TABLES,
  ...MCP_TABLES,
  ...IMPORT_TABLES,
  ...ACCESS_TABLES,
  ...DRIFT_TABLES,
  ...ACCESS_REQUEST_TABLES,
  ...OVERSIGHT_TABLES,
  ...ACCOUNTABILITY_TABLES,
  ...EVALUATION_TABLES,
  ...FINDING_TABLES,
  ...DECISION_TABLES,
  ...COMPLIANCE_TABLES,
  ...CONNECTOR_TABLES,
  ...APP_TABLES,
];

/** The event log, the counters, and the tables of the first resources. */
export const foundation: Migration = {
  number: 1,
  name: "foundation",
  tables: [...IDENTITY_TABLES, ...TABLES],
  kernel: (dialect) => dialect.kernel,
};
