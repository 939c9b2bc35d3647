import { defineCollection } from "../../kernel/collection.js";
import { Finding } from "./fields.js";
import { findingAt } from "./status.js";
import { isOpen } from "./vocabulary.js";

const FILTERS = ["status", "severity", "policyId", "assetId"] as const;

/** Every set of filters that a list of findings can be asked for: one for each number in binary. */
const filtered = Array.from({ length: 2 ** FILTERS.length - 1 }, (_none, index) => ({
  where: FILTERS.filter((_name, bit) => (index + 1) & (1 << bit)),
}));

/** Findings; one per fingerprint. `status` has no machine: it is derived (`findingAt`), and read as it is at the moment. */
export const findings = defineCollection<Finding>({
  name: "findings",
  prefix: "fnd",
  schema: Finding,
  resource: { type: "finding", event: "finding", path: "/api/v1/ai-governance/findings", ownEvents: true },
  retain: true,
  fields: {
    status: { type: "text" },
    severity: { type: "text", of: ({ effectiveSeverity }) => effectiveSeverity },
    policyId: { type: "text" },
    policyKey: { type: "text" },
    assetId: { type: "text" },
    fingerprint: { type: "text" },
    /** Stands, as far as is known: neither resolved nor closed. */
    live: { type: "boolean", of: ({ status }) => status !== "resolved" && status !== "closed" },
    gate: { type: "boolean" },
    stale: { type: "boolean" },
    slaBreached: { type: "boolean" },
    /** Holds the asset back from production: from a gating policy, and not yet resolved, exempted, dismissed or closed. */
    blocking: { type: "boolean", of: (finding) => finding.gate && isOpen(finding.status) },
    turnsAt: { type: "time" },
    reevaluationRequestedAt: { type: "time" },
    /** Rule and status in one, so that counters tell how the findings of each rule stand. */
    standing: { type: "text", of: standingOf },
    /** Status and severity in one, for the same reason. */
    grid: { type: "text", of: gridOf },
  },
  unique: { fingerprint: ["fingerprint"] },
  indexes: [
    ...filtered,
    { where: ["assetId", "blocking"] },
    { where: ["policyKey", "live"] },
    { where: ["policyKey", "assetId", "live"] },
    { where: ["assetId", "gate"], by: "turnsAt" },
    { where: [], by: "turnsAt" },
    { where: [], by: "reevaluationRequestedAt" },
  ],
  counted: ["status", "severity", "standing", "grid", "stale", "slaBreached"],
  search: ({ title, message, ruleKey, policyKey, assetName, locus }) =>
    [title, message, policyKey, ruleKey, assetName, locus].join("\n"),
  staleAt: ({ turnsAt }) => turnsAt,
  derive: findingAt,
});

/** What a finding counts as in `reader.tally(findings, "standing")`: `<policy>/<rule>:<status>`. */
export function standingOf({ policyKey, ruleKey, status }: Pick<Finding, "policyKey" | "ruleKey" | "status">): string {
  return `${policyKey}/${ruleKey}:${status}`;
}

/** What a finding counts as in `reader.tally(findings, "grid")`: `<status>:<severity>`. */
export function gridOf({ status, effectiveSeverity }: Pick<Finding, "status" | "effectiveSeverity">): string {
  return `${status}:${effectiveSeverity}`;
}
