import { canonical } from "#kernel/events/canonical.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import type { Stamped } from "#kernel/records/stamps.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import { coversOf, type Exemption } from "../exemption-terms.js";
import type { Finding } from "../fields.js";
import {
  type ClosedReason,
  type FindingSource,
  type FindingStatus,
  ordinalOf,
  raisedBy,
  type Severity,
} from "../finding-terms.js";
import { differences, type FindingPatch, verbOf } from "../review-verbs.js";
import { findingAt, statusOf } from "../rules.js";

/** What a rule found on an asset in an evaluation. */
export interface Detected {
  /** A policy when absent. */
  readonly source?: FindingSource;
  readonly policyId: string | null;
  readonly policyKey: string;
  readonly policyRevision: number | null;
  readonly ruleKey: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly locus: string;
  /** Of the rule, or of the policy when the rule has none. */
  readonly severity: Severity;
  readonly gate: boolean;
  readonly category: string;
  /** The name of the policy. */
  readonly title: string;
  readonly message: string;
  readonly remediation: string;
  readonly controls: readonly string[];
  readonly evidence: {
    readonly snapshotDigest: string;
    /** Digest of the values that the rule read. */
    readonly digest: string;
    /** The values that the rule read, without secrets. */
    readonly values: Readonly<Record<string, unknown>>;
  };
  readonly production: boolean;
  readonly highRisk: boolean;
  /** Whether it was there when the asset was imported as part of the baseline. */
  readonly baseline?: boolean;
}

/** Days from the start of an episode to its due date, by severity. `null` for no due date. */
export type SlaDays = Readonly<Record<Severity, number | null>>;

/** Other inputs of a finding: the current time, the due dates, and exemptions that could match. */
export interface Circumstances {
  readonly now: string;
  readonly slaDays: SlaDays;
  readonly exemptions: readonly Exemption[];
}

/** The events of a finding that is detected again. */
type Seen = "touched" | "updated" | "reopened" | "voided" | "exempted" | "refuted";

const MOST_EPISODES = 50;
/** Nobody looks any more at an asset that was relabelled or retired, or by a disabled policy. */
const PAUSES: readonly ClosedReason[] = ["out_of_scope", "policy_disabled", "asset_retired"];
/** For so long an episode goes on that ended because nobody looked. */
const PAUSE_DAYS = 30;

/** The fingerprint of a finding: SHA-256 of the canonical form of what never changes about it. */
export function fingerprintOf({
  policyKey,
  ruleKey,
  assetId,
  locus,
}: Pick<Detected, "policyKey" | "ruleKey" | "assetId" | "locus">): string {
  return sha256(canonical([1, policyKey, ruleKey, assetId, locus]));
}

/** When an episode is due that began at `openedAt`. `null` for a severity without a due date. */
export function dueOf(openedAt: string, severity: Severity, slaDays: SlaDays): string | null {
  const days = slaDays[severity];
  return days === null ? null : timestamp(Date.parse(openedAt) + daysMs(days));
}

/** A new finding. `fingerprint`: that of what was detected. */
export function opened(
  stamp: Stamped,
  detected: Detected,
  { now, slaDays, exemptions }: Circumstances,
  fingerprint: string = fingerprintOf(detected),
): Finding {
  const { id, version, ...marks } = stamp;
  const reported = reportedBy(detected);
  return findingAt(
    {
      id,
      status: "open",
      version,
      metadata: {},
      ...marks,
      fingerprint,
      ...reported,
      baseline: detected.baseline ?? false,
      severityOverride: null,
      severityRequest: null,
      effectiveSeverity: raisedBy(reported.severity, reported.raised),
      detection: "present",
      workflow: "new",
      assignee: null,
      exemptionId: null,
      covers: coversOf(exemptions, { ...detected, fingerprint }, now),
      dismissal: null,
      dismissalRequest: null,
      firstSeenAt: now,
      lastSeenAt: now,
      resolvedAt: null,
      episodes: [{ openedAt: now, resolvedAt: null }],
      episodeCount: 1,
      regressionCount: 0,
      refutedFixes: 0,
      occurrences: 1,
      regressed: false,
      involved: NONE_INVOLVED,
      verifiedFix: false,
      stale: false,
      staleSince: null,
      dueAt: dueOf(now, raisedBy(reported.severity, reported.raised), slaDays),
      slaBreached: false,
      slaBreachedAt: null,
      nextChangeAt: null,
      ticketRef: null,
      closedReason: null,
      reevaluationRequestedAt: null,
    },
    now,
  );
}

/**
 * A finding that is detected again. One that is over gets a new episode with a new due date and no work yet, unless
 * nobody looked for a while. Its dismissal still holds for the same evidence. A fix that was claimed is refuted. `verb`
 * names the event.
 */
export function seenAgain(
  before: Finding,
  detected: Detected,
  { now, slaDays, exemptions }: Circumstances,
): { readonly next: FindingPatch; readonly verb: Seen } {
  const reported = reportedBy(detected);
  const regressed = before.resolvedAt !== null;
  const goesOn = isPaused(before, reported.policyId, now);
  const anew = !goesOn && (regressed || before.closedReason !== null);
  const begins = anew ? begun(before, now, regressed) : { ...refuted(before), ...(goesOn ? resumed(before) : {}) };
  const openedAt = (begins.episodes ?? before.episodes).at(-1)?.openedAt ?? now;
  const spoken = spokenOf(before, reported);
  const severity = spoken.severityOverride?.value ?? raisedBy(reported.severity, reported.raised);
  const next = findingAt(
    {
      ...before,
      ...reported,
      ...spoken,
      ...begins,
      baseline: before.baseline && ordinalOf(severity) <= ordinalOf(before.effectiveSeverity),
      // The policy that has this key now. It may differ from the one before.
      covers: coversOf(exemptions, { ...before, policyId: reported.policyId }, now),
      detection: "present",
      resolvedAt: null,
      closedReason: null,
      lastSeenAt: now,
      occurrences: before.occurrences + 1,
      // A due date that has passed stays for the episode, whatever the severity becomes.
      dueAt: anew || findingAt(before, now).slaBreachedAt === null ? dueOf(openedAt, severity, slaDays) : before.dueAt,
      stale: false,
      staleSince: null,
      reevaluationRequestedAt: null,
    },
    now,
  );
  return { next: differences(before, next), verb: verbOf(before, next, now) as Seen };
}

/** The status that a finding has when this is detected now. `before` is the stored finding, if there is one. */
export function statusOnDetection(
  before: Finding | undefined,
  detected: Detected,
  circumstances: Circumstances,
): FindingStatus {
  if (before) return { ...before, ...seenAgain(before, detected, circumstances).next }.status;
  const found = { ...detected, fingerprint: fingerprintOf(detected) };
  const covers = coversOf(circumstances.exemptions, found, circumstances.now);
  const effectiveSeverity = raisedBy(detected.severity, isRaised(detected));
  const evidence = { ...detected.evidence };
  const none = { closedReason: null, resolvedAt: null, workflow: "new" } as const;
  return statusOf({ ...none, covers, effectiveSeverity, evidence }, circumstances.now);
}

/** The patch for a finding that an evaluation did not detect. */
export function seenAbsent(before: Finding, { now }: Pick<Circumstances, "now">): FindingPatch {
  const again = before.resolvedAt !== null;
  const next = findingAt(
    {
      ...before,
      detection: "absent",
      closedReason: null,
      resolvedAt: before.resolvedAt ?? now,
      episodes: again ? before.episodes : ended(before.episodes, now),
      verifiedFix: again ? before.verifiedFix : before.workflow === "fix_claimed",
      dismissalRequest: null,
      severityRequest: null,
      stale: false,
      staleSince: null,
      reevaluationRequestedAt: null,
    },
    now,
  );
  return differences(before, next);
}

/** The patch for a finding whose evaluation failed: only its detection and staleness change. */
export function notSeen(before: Finding, { now }: Pick<Circumstances, "now">): FindingPatch {
  const next = { ...before, detection: "unknown" as const, stale: true, staleSince: before.staleSince ?? now };
  return differences(before, findingAt(next, now));
}

/** The patch that closes a finding whose policy or asset is gone or not in use. */
export function closedBecause(
  before: Finding,
  reason: ClosedReason,
  { now }: Pick<Circumstances, "now">,
): FindingPatch {
  if (before.closedReason !== null) return {};
  const episodes = before.resolvedAt === null ? ended(before.episodes, now) : before.episodes;
  const nothingAsked = { dismissalRequest: null, severityRequest: null, reevaluationRequestedAt: null };
  const next = { ...before, ...nothingAsked, stale: false, staleSince: null, closedReason: reason, episodes };
  return differences(before, findingAt(next, now));
}

const isRaised = ({ production, highRisk }: Detected) => production && highRisk;

/** The fields of a finding that come from an evaluation. */
function reportedBy(detected: Detected) {
  const { assetId, policyId, policyKey, policyRevision, ruleKey, assetName, locus, title, message } = detected;
  const { remediation, category, severity, gate, controls, evidence } = detected;
  return {
    name: title,
    source: detected.source ?? "policy",
    policyId,
    policyKey,
    policyRevision,
    ruleKey,
    assetId,
    assetName,
    locus,
    title,
    message,
    remediation,
    category,
    severity,
    raised: isRaised(detected),
    gate,
    controls: [...controls],
    evidence: { ...evidence },
  };
}

/** What people have said of the severity. What is below a severity that has risen since was said of something else. */
function spokenOf(
  { severity, raised, severityOverride, severityRequest }: Finding,
  reported: Pick<Finding, "severity" | "raised">,
): Pick<Finding, "severityOverride" | "severityRequest"> {
  const now = ordinalOf(raisedBy(reported.severity, reported.raised));
  const rises = now > ordinalOf(raisedBy(severity, raised));
  const holds = (said: Finding["severityOverride"]) => (rises && said && ordinalOf(said.value) < now ? null : said);
  return { severityOverride: holds(severityOverride), severityRequest: holds(severityRequest) };
}

/** Starts a new episode of a finding that was closed or resolved. */
function begun(before: Finding, now: string, regressed: boolean): FindingPatch {
  return {
    workflow: before.workflow === "dismissed" ? "dismissed" : "new",
    episodes: [...before.episodes, { openedAt: now, resolvedAt: null }].slice(-MOST_EPISODES),
    episodeCount: before.episodeCount + 1,
    regressionCount: before.regressionCount + (regressed ? 1 : 0),
    regressed: regressed || before.regressed,
    involved: NONE_INVOLVED,
    verifiedFix: false,
    slaBreachedAt: null,
  };
}

/** Whether the episode of a closed finding goes on: its policy did not look at the asset for a while. */
function isPaused({ closedReason, resolvedAt, policyId, episodes }: Finding, by: string | null, now: string): boolean {
  if (closedReason === null || !PAUSES.includes(closedReason)) return false;
  const endedAt = episodes.at(-1)?.resolvedAt;
  if (resolvedAt !== null || policyId !== by || !endedAt) return false;
  return Date.parse(now) - Date.parse(endedAt) <= daysMs(PAUSE_DAYS);
}

const resumed = ({ episodes }: Finding): FindingPatch => ({
  episodes: episodes.map((episode, index) =>
    index === episodes.length - 1 ? { ...episode, resolvedAt: null } : episode,
  ),
});

/** Takes back the claim that a finding is fixed, and counts it. */
function refuted({ workflow, refutedFixes }: Finding): FindingPatch {
  return workflow === "fix_claimed" ? { workflow: "new", refutedFixes: refutedFixes + 1 } : {};
}

function ended(episodes: Finding["episodes"], now: string): Finding["episodes"] {
  return episodes.map((episode, index) =>
    index === episodes.length - 1 ? { ...episode, resolvedAt: episode.resolvedAt ?? now } : episode,
  );
}
