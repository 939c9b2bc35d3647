/** Severities in ascending order. The ordinals are those of OCSF: 1 to 5. */
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The status of a finding, derived from detection, workflow and exemptions. Nobody sets it. */
export const FINDING_STATUSES = [
  "open",
  "acknowledged",
  "in_progress",
  "fix_claimed",
  "exempted",
  "dismissed",
  "resolved",
  "closed",
] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** Who finds: a policy, or Reeve itself about access in connected systems. */
export const SOURCES = ["policy", "access"] as const;
export type FindingSource = (typeof SOURCES)[number];

/** What the last evaluation saw; `unknown` after one that failed. */
export const DETECTIONS = ["present", "absent", "unknown"] as const;

/** The progress of people's work on it. */
export const WORKFLOWS = ["new", "acknowledged", "in_progress", "fix_claimed", "dismissed"] as const;
export type Workflow = (typeof WORKFLOWS)[number];

/** Why a finding is closed. */
export const CLOSED_REASONS = [
  "policy_disabled",
  "policy_deleted",
  "out_of_scope",
  "asset_retired",
  "asset_deleted",
] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** Why people dismiss a finding. */
export const DISMISSAL_REASONS = ["false_positive", "not_applicable", "duplicate"] as const;

/** States of an exemption. Time alone makes it `expired`. */
export const EXEMPTION_STATUSES = [
  "requested",
  "approved",
  "rejected",
  "withdrawn",
  "revoked",
  "expired",
  "superseded",
  "lapsed",
] as const;
export type ExemptionStatus = (typeof EXEMPTION_STATUSES)[number];

/** The statuses of findings that are open. */
export const OPEN_STATUSES: readonly FindingStatus[] = ["open", "acknowledged", "in_progress", "fix_claimed"];

/** Whether a finding in this status is open. */
export function isOpen(status: FindingStatus): boolean {
  return OPEN_STATUSES.includes(status);
}

/** The statuses of findings that are neither resolved nor closed. */
export const LIVE_STATUSES: readonly FindingStatus[] = FINDING_STATUSES.filter(
  (status) => status !== "resolved" && status !== "closed",
);

/** The ordinal of a severity, from 1. */
export function ordinalOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity) + 1;
}

/** The more severe of two. */
export function moreSevere(one: Severity, other: Severity): Severity {
  return ordinalOf(one) >= ordinalOf(other) ? one : other;
}

/** The next higher severity when `raised`, `critical` at most. */
export function raisedBy(severity: Severity, raised: boolean): Severity {
  return raised ? (SEVERITIES[ordinalOf(severity)] ?? "critical") : severity;
}
