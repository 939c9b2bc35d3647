import { defineCollection } from "#kernel/records/collection.js";
import { Finding } from "./fields.js";
import { FINDING_STATUSES, ordinalOf, SEVERITIES, SOURCES } from "./finding-terms.js";
import { findingAt } from "./rules.js";

/** Findings, one per fingerprint. `status` has no machine: `findingAt` derives it for the moment of the read. */
export const findings = defineCollection<Finding>({
  name: "findings",
  prefix: "fnd",
  schema: Finding,
  resource: { type: "finding", event: "finding", path: "/api/v1/ai-governance/findings", ownEvents: true },
  retain: true,
  fields: {
    status: { type: "text" },
    severity: { type: "text", of: ({ effectiveSeverity }) => effectiveSeverity },
    source: { type: "text" },
    policyId: { type: "text" },
    assetId: { type: "text" },
    controls: { type: "texts" },
    fingerprint: { type: "text", compare: "exact" },
    gate: { type: "boolean" },
    baseline: { type: "boolean" },
    stale: { type: "boolean" },
    slaBreached: { type: "boolean" },
    /** Its severity as a number, to sort by. */
    gravity: { type: "integer", of: ({ effectiveSeverity }) => ordinalOf(effectiveSeverity) },
    dueAt: { type: "time" },
    nextChangeAt: { type: "time" },
    reevaluationRequestedAt: { type: "time" },
    /** Rule and status in one, to count the findings of each rule by status. */
    standing: { type: "text", of: standingOf },
    /** Status and severity in one, to count by both. */
    grid: { type: "text", combines: ["status", "severity"] },
    /** The same with the baseline apart. */
    gridWithBaseline: { type: "text", combines: ["status", "severity", "baseline"] },
  },
  unique: { fingerprint: ["fingerprint"] },
  // Of equally selective filters, the first index here is used.
  indexes: [
    { where: ["assetId"] },
    { where: ["policyId"] },
    { where: ["severity"] },
    { where: ["status"] },
    { where: ["baseline"] },
    { where: ["policyId", "status"] },
    { where: [], by: "gravity" },
    { where: [], by: "dueAt" },
    { where: [], by: "nextChangeAt", partial: true },
    { where: [], by: "reevaluationRequestedAt", partial: true },
  ],
  filters: {
    status: { values: FINDING_STATUSES, changesAt: "nextChangeAt" },
    severity: { values: SEVERITIES, description: "The effective one." },
    source: { values: SOURCES },
    policyId: {},
    assetId: { ids: "ai_asset" },
    control: { field: "controls", description: "A control of a framework that it is evidence against." },
    gate: { type: "boolean" },
    baseline: { type: "boolean", description: "Whether an imported asset brought it along, undecided since." },
    stale: { type: "boolean" },
    slaBreached: { type: "boolean", changesAt: "nextChangeAt" },
  },
  orders: { severity: "gravity", dueAt: "dueAt" },
  counted: ["status", "severity", "standing", "grid", "gridWithBaseline", "baseline", "stale", "slaBreached"],
  search: ({ title, message, ruleKey, policyKey, assetName, locus }) =>
    [title, message, policyKey, ruleKey, assetName, locus].join("\n"),
  staleAt: ({ nextChangeAt }) => nextChangeAt,
  derive: findingAt,
});

/** The value of a finding in `countFindingsBy(reader, "standing", now)`: `<policy>/<rule>:<status>`. */
export function standingOf({ policyKey, ruleKey, status }: Pick<Finding, "policyKey" | "ruleKey" | "status">): string {
  return `${policyKey}/${ruleKey}:${status}`;
}
