import { coverAt, lasting } from "./exemption-terms.js";
import type { Dismissal, Finding } from "./fields.js";
import {
  type FindingStatus,
  isOpen,
  moreSevere,
  ordinalOf,
  raisedBy,
  type Severity,
  type Workflow,
} from "./finding-terms.js";

const OF_WORKFLOW = {
  new: "open",
  acknowledged: "acknowledged",
  in_progress: "in_progress",
  fix_claimed: "fix_claimed",
  dismissed: "dismissed",
} as const satisfies Record<Workflow, FindingStatus>;

type Judged = Pick<Finding, "closedReason" | "resolvedAt" | "workflow" | "covers" | "effectiveSeverity" | "evidence">;

/**
 * The only code that decides on the status of a finding: closed, resolved, dismissed, exempted, or else the progress of
 * work on it. A failed evaluation leaves `resolvedAt` unchanged, so the last known status stays.
 */
export function statusOf(finding: Judged, now: string): FindingStatus {
  if (finding.closedReason !== null) return "closed";
  if (finding.resolvedAt !== null) return "resolved";
  if (finding.workflow === "dismissed") return "dismissed";
  return coverAt(finding.covers, finding, now) ? "exempted" : OF_WORKFLOW[finding.workflow];
}

/** The graver of what evaluations and people say, so that no override hides what evaluations find. */
export function gravest({
  severity,
  raised,
  effectiveSeverity,
}: Pick<Finding, "severity" | "raised" | "effectiveSeverity">): Severity {
  return moreSevere(raisedBy(severity, raised), effectiveSeverity);
}

/** Whether a dismissal, or one that is asked for, no longer holds, because evidence changed or severity rose. */
function isOutdated(dismissal: Dismissal | null, finding: Finding): boolean {
  if (!dismissal) return false;
  const isGraver = ordinalOf(gravest(finding)) > ordinalOf(dismissal.severity);
  return isGraver || dismissal.evidenceDigest !== finding.evidence.digest;
}

/** Whether nobody has assigned it, or said anything of its severity, its dismissal or its exemption. */
function isUndecided(finding: Finding): boolean {
  const { assignee, covers, dismissalRequest, severityOverride, severityRequest } = finding;
  return covers.length === 0 && !assignee && !dismissalRequest && !severityOverride && !severityRequest;
}

/** A finding as it is at a moment, with all derived fields. */
export function findingAt(finding: Finding, now: string): Finding {
  const effectiveSeverity = finding.severityOverride?.value ?? raisedBy(finding.severity, finding.raised);
  const judged = { ...finding, effectiveSeverity, covers: lasting(finding.covers, now) };
  if (judged.workflow === "dismissed" && isOutdated(judged.dismissal, judged))
    Object.assign(judged, { workflow: "new", dismissal: null });
  if (isOutdated(judged.dismissalRequest, judged)) judged.dismissalRequest = null;
  const status = statusOf(judged, now);
  const slaBreached = isOpen(status) && judged.dueAt !== null && judged.dueAt <= now;
  const next = {
    ...judged,
    status,
    baseline: judged.baseline && status === "open" && isUndecided(judged),
    exemptionId: status === "exempted" ? (coverAt(judged.covers, judged, now)?.exemptionId ?? null) : null,
    slaBreached,
    slaBreachedAt: judged.slaBreachedAt ?? (slaBreached ? judged.dueAt : null),
  };
  return { ...next, nextChangeAt: turnOf(next, now) };
}

/** The next moment at which time alone changes the finding. `null` when there is none. */
function turnOf({ status, covers, dueAt }: Finding, now: string): string | null {
  if (!isOpen(status) && status !== "exempted") return null;
  const moments = [
    ...covers.flatMap(({ startsAt, expiresAt }) => [startsAt, expiresAt]),
    ...(isOpen(status) && dueAt !== null ? [dueAt] : []),
  ].filter((moment) => moment > now);
  return moments.length === 0 ? null : moments.reduce(sooner);
}

const sooner = (one: string, other: string) => (one < other ? one : other);
