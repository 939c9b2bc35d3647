import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";

/** How long access must be unused where nobody says otherwise, in days. */
export const USAGE_DAYS = 30;
export const MOST_DAYS = 365;

export const USAGE_STATES = ["used", "unused", "unknown"] as const;

/** Why nobody can tell whether access is used. */
export const UNKNOWN_REASONS = [
  "no_usage_data",
  "not_read_yet",
  "window_not_covered",
  "behind",
  "gap",
  "not_activated",
  "too_young",
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

export const GRANULARITIES = ["profile", "resource", "identity", "none"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Why use of a time may be missing. */
export const GAP_REASONS = ["lost", "incomplete", "rejected", "too_many"] as const;

/** A time whose use may be missing. */
export interface Gap {
  readonly from: string;
  readonly to: string;
  readonly reason: (typeof GAP_REASONS)[number];
}

/** What is known of use in one target. */
export interface Coverage {
  readonly granularity: Granularity;
  /** Since when its use is read, and up to when; `null` before the first reading. */
  readonly from: string | null;
  readonly through: string | null;
  readonly gaps: readonly Gap[];
  readonly lagSeconds: number;
}

/** How far reading may be behind before nothing is concluded from what is not there. */
const BEHIND = hoursMs(2);

/** The beginning of the last days. */
export const windowStart = (nowMs: number, days: number): string => timestamp(nowMs - daysMs(days));

/** Gaps within the last days. */
export const gapsSince = ({ gaps }: Coverage, from: string): readonly Gap[] => gaps.filter(({ to }) => to > from);

/** Why nothing can be concluded from use that is not there in the last days; empty when it can. */
export function blanksOf(coverage: Coverage, { nowMs, days }: { nowMs: number; days: number }): UnknownReason[] {
  const { granularity, from, through, lagSeconds } = coverage;
  if (granularity === "none") return ["no_usage_data"];
  if (from === null || through === null) return ["not_read_yet"];
  const start = windowStart(nowMs, days);
  const reasons: UnknownReason[] = [];
  if (from > start) reasons.push("window_not_covered");
  if (Date.parse(through) < nowMs - BEHIND - lagSeconds * 1_000) reasons.push("behind");
  if (gapsSince(coverage, start).length > 0) reasons.push("gap");
  return reasons;
}

interface UsedAccess {
  readonly activatedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** Whether access was used in the last days, as far as anybody can tell. */
export function usageStateOf(
  { activatedAt, lastUsedAt }: UsedAccess,
  coverage: Coverage,
  window: { readonly nowMs: number; readonly days: number },
): { readonly usageState: (typeof USAGE_STATES)[number]; readonly unknownBecause: readonly UnknownReason[] } {
  const start = windowStart(window.nowMs, window.days);
  if (lastUsedAt !== null && lastUsedAt >= start) return { usageState: "used", unknownBecause: [] };
  const reasons = blanksOf(coverage, window);
  if (activatedAt === null) reasons.push("not_activated");
  else if (activatedAt > start) reasons.push("too_young");
  return { usageState: reasons.length === 0 ? "unused" : "unknown", unknownBecause: reasons };
}

/** When a use that was begun counts as one whose outcome nobody knows, in milliseconds. */
export const LOST_AFTER = 120_000;

/** Clocks of targets may differ by this much. */
export const SKEW = 300_000;

/** The most gaps that are kept of a target. */
const MOST_GAPS = 50;

/** Gaps with one more. The two oldest become one when there are too many, so that no time is left out. */
export function withGap(gaps: readonly Gap[], gap: Gap, nowMs: number): Gap[] {
  const others = gaps.filter(({ from, to }) => from < gap.from || to > gap.to);
  const kept = [...others, gap].filter(({ to }) => to > windowStart(nowMs, MOST_DAYS + 1));
  const [first, second, ...rest] = kept;
  if (kept.length <= MOST_GAPS || !first || !second) return kept;
  return [{ ...second, from: first.from }, ...rest];
}

/** What of a use says which access it was. */
interface SeenUse {
  readonly at: string;
  readonly resource?: { readonly type: string; readonly externalId: string } | undefined;
  readonly profileExternalId?: string | undefined;
}

interface GrantedAccess {
  readonly activatedAt: string | null;
  readonly resource: { readonly type: string; readonly externalId: string };
  readonly profileExternalId: string;
}

/** Whether a use may have been by this access of the same principal. What is not told cannot rule it out. */
export function mayBeUseOf({ at, resource, profileExternalId }: SeenUse, one: GrantedAccess): boolean {
  if (one.activatedAt === null || Date.parse(at) < Date.parse(one.activatedAt) - SKEW) return false;
  if (resource && (resource.type !== one.resource.type || resource.externalId !== one.resource.externalId))
    return false;
  return profileExternalId === undefined || profileExternalId === one.profileExternalId;
}

/** What cannot be told apart in a target is left out of its events. */
export function readableUse<U extends SeenUse>(use: U, granularity: Granularity): U {
  if (granularity === "profile") return use;
  const { profileExternalId: _profile, ...ofResource } = use;
  if (granularity === "resource") return ofResource as U;
  const { resource: _resource, ...ofIdentity } = ofResource;
  return ofIdentity as U;
}
