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

/**
 * A finding as it is at a moment, with all derived fields. A run asks for it several times for each finding, so it is copied
 * once.
 */
export function findingAt(finding: Finding, now: string): Finding {
  const effectiveSeverity = finding.severityOverride?.value ?? raisedBy(finding.severity, finding.raised);
  const next: Finding = { ...finding, effectiveSeverity, covers: lasting(finding.covers, now) };
  if (next.workflow === "dismissed" && isOutdated(next.dismissal, next))
    Object.assign(next, { workflow: "new", dismissal: null });
  if (isOutdated(next.dismissalRequest, next)) next.dismissalRequest = null;
  const status = statusOf(next, now);
  next.status = status;
  next.baseline = next.baseline && status === "open" && isUndecided(next);
  next.exemptionId = status === "exempted" ? (coverAt(next.covers, next, now)?.exemptionId ?? null) : null;
  next.slaBreached = isOpen(status) && next.dueAt !== null && next.dueAt <= now;
  next.slaBreachedAt ??= next.slaBreached ? next.dueAt : null;
  next.nextChangeAt = turnOf(next, now);
  return next;
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
