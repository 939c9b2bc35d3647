import { RISK_LEVELS } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { isAnomalous } from "#families/connectors/index.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { CertificationStage, Strategy } from "./fields.js";
import type { AccessSnapshot, CertificationDecision, CertificationItem, Outcome } from "./items/schema.js";

/** A stage as far as its decisions are concerned. */
export interface Deciding {
  readonly strategy: Strategy;
  readonly quorum?: number | undefined;
  /** How many may decide. */
  readonly panel: number;
  /** Its time is over, so nobody else will decide. */
  readonly isOver: boolean;
}

type Vote = Pick<CertificationDecision, "decision">;

const OF_VOTE = { revoke: "revoke", modify: "modified" } as const;

/** What the decisions of a stage come to; `undefined` while they come to nothing. A denial is never outvoted by silence. */
export function outcomeOf(votes: readonly Vote[], { strategy, quorum, panel, isOver }: Deciding): Outcome | undefined {
  // Who may decide is a set that can become empty; that nobody has decided comes to nothing by any strategy.
  if (votes.length === 0) return undefined;
  const accepts = votes.filter(({ decision }) => decision === "certify").length;
  const denials = votes.filter(({ decision }) => decision === "revoke" || decision === "modify");
  const denied = denials.some(({ decision }) => decision === "revoke") ? OF_VOTE.revoke : OF_VOTE.modify;
  const isWhole = votes.length >= panel;
  if (strategy === "one_accepts") {
    if (accepts > 0) return "certified";
    if (!isWhole) return undefined;
    return denials.length > 0 ? denied : "abstained";
  }
  if (strategy === "quorum") {
    const needed = Math.min(panel, quorum ?? Math.floor(panel / 2) + 1);
    if (denials.length >= needed) return denied;
    if (accepts >= needed) return "certified";
    return isWhole ? "abstained" : undefined;
  }
  if (denials.length > 0) return denied;
  const isEnough = strategy === "all_accept" ? isWhole && accepts === panel : (isWhole || isOver) && accepts > 0;
  if (isEnough) return "certified";
  return isWhole ? "abstained" : undefined;
}

/** The decisions of an item that count now: those of its stage on its present snapshot. */
export function standing<V extends Pick<CertificationDecision, "stage" | "snapshotVersion">>(
  { stage, snapshotVersion }: Pick<CertificationItem, "stage" | "snapshotVersion">,
  decisions: readonly V[],
): V[] {
  return decisions.filter((one) => one.stage === stage && one.snapshotVersion === snapshotVersion);
}

/** Whether an outcome ends the review of an item, or another stage looks at it too. */
export const isFinal = (outcome: Outcome | null): boolean => outcome === "revoke" || outcome === "modified";

interface Revocations {
  readonly items: number;
  readonly revokes: number;
  readonly silent: number;
  /** Those of other campaigns within the last hour. */
  readonly recent: number;
}

/** Whether somebody must confirm what a campaign revokes: silence revokes, or it is more than is plausible. */
export function needsConfirmation({ items, revokes, silent, recent }: Revocations, maxPercent: number): boolean {
  if (revokes === 0) return false;
  return silent > 0 || isAnomalous({ found: items, missing: revokes, known: items, recent, part: maxPercent / 100 });
}

/** What of access speaks against certifying it together with others. */
export type Weighed = Pick<
  AccessSnapshot,
  "riskLevel" | "usageState" | "conflicts" | "openDrift" | "targetState" | "observedAt"
>;

const DIFFERENT: ReadonlySet<AccessSnapshot["targetState"]> = new Set(["absent", "mismatch"]);

const eitherOf = (snapshot: Weighed, present: Weighed | undefined) => (is: (look: Weighed) => boolean) =>
  is(snapshot) || (present !== undefined && is(present));

/**
 * Why access is not certified together with others; empty when it may be. Both count: how it was looked at, and how it
 * is at this moment.
 */
export function notInBulk(
  { status, snapshot }: Pick<CertificationItem, "status"> & { readonly snapshot: Weighed },
  present: Weighed | undefined,
  { nowMs, maxDataAge }: { readonly nowMs: number; readonly maxDataAge: string },
): string[] {
  const isEither = eitherOf(snapshot, present);
  const oldest = nowMs - millisecondsOf(maxDataAge);
  const reasons: string[] = [];
  if (status === "stale") reasons.push("stale");
  if (isEither(({ riskLevel }) => riskLevel === "critical")) reasons.push("critical");
  if (isEither(({ usageState }) => usageState === "unused")) reasons.push("never_used");
  if (isEither(({ conflicts }) => conflicts !== null && conflicts.length > 0)) reasons.push("conflicted");
  if (isEither(({ openDrift, targetState }) => (openDrift ?? 0) > 0 || DIFFERENT.has(targetState)))
    reasons.push("drifted");
  if (isEither(({ targetState }) => targetState === "unknown")) reasons.push("not_seen");
  if (isEither(({ observedAt }) => observedAt === null || Date.parse(observedAt) < oldest)) reasons.push("old_data");
  return reasons;
}

/** Why access is not revoked together with others; empty when it may be. Somebody may depend on what is used. */
export function notRevokedInBulk(
  { status, snapshot }: Pick<CertificationItem, "status"> & { readonly snapshot: Weighed },
  present: Weighed | undefined,
): string[] {
  const isEither = eitherOf(snapshot, present);
  const reasons: string[] = [];
  if (status === "stale") reasons.push("stale");
  if (isEither(({ usageState }) => usageState === "used")) reasons.push("in_use");
  return reasons;
}

const rankOf = (risk: AccessSnapshot["riskLevel"]) => RISK_LEVELS.indexOf(risk);
export const isOfRisk = (one: AccessSnapshot["riskLevel"], least: AccessSnapshot["riskLevel"]) =>
  rankOf(one) >= rankOf(least);

/** Whether access has not been used for so long. Access whose use nobody knows is not unused, whenever it was used last. */
export function isUnusedFor(
  { lastUsedAt, activatedAt }: Pick<AccessAssignment, "lastUsedAt" | "activatedAt">,
  { usageState }: Pick<AccessSnapshot, "usageState">,
  days: number,
  nowMs: number,
): boolean {
  if (usageState === "unknown") return false;
  const since = lastUsedAt ?? (usageState === "unused" ? activatedAt : null);
  return since !== null && Date.parse(since) + daysMs(days) <= nowMs;
}

/** Whether a decision takes a reason. */
export const takesReason = (decision: CertificationDecision["decision"], { riskLevel }: AccessSnapshot): boolean =>
  decision !== "certify" || riskLevel !== "low";

/** When a stage that begins now ends. */
export function stageEnd({ duration }: Pick<CertificationStage, "duration">, dueAt: string | null, nowMs: number) {
  const end = timestamp(nowMs + millisecondsOf(duration));
  return dueAt !== null && dueAt < end ? dueAt : end;
}

/** Under which an item is counted that waits for a decision. */
const UNDECIDED_STANDINGS = ["pending", "held", "stale"] as const;

export const undecidedStandings = (certificationId: string): string[] =>
  UNDECIDED_STANDINGS.map((state) => `${certificationId} ${state}`);

/** The later of two times. */
export const later = (one: string, other: string): string => (one < other ? other : one);
