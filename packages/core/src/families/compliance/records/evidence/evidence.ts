import type { EvidenceRequirement } from "#frameworks/index.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";

/** The parts of a piece of evidence that decide how long it counts. */
export interface DatedEvidence {
  readonly type: EvidenceRequirement["type"];
  readonly collectedAt: string;
  readonly validUntil: string | null;
}

/** Sorts after every time. */
const NEVER = "~";

/** When a piece of evidence stops counting for a requirement. `null` for never. */
export function expiryOf(evidence: DatedEvidence, freshnessDays: number | null): string | null {
  const { collectedAt, validUntil } = evidence;
  const staleOn = freshnessDays === null ? null : timestamp(Date.parse(collectedAt) + daysMs(freshnessDays));
  if (staleOn === null || validUntil === null) return staleOn ?? validUntil;
  return [staleOn, validUntil].sort()[0] ?? null;
}

/** The state of a requirement at a moment: evidence that counts, and evidence that is too old. */
export interface RequirementState {
  readonly type: EvidenceRequirement["type"];
  readonly wanted: number;
  readonly fresh: number;
  readonly stale: number;
}

export function requirementStates(
  requirements: readonly EvidenceRequirement[],
  evidence: readonly DatedEvidence[],
  now: string,
): RequirementState[] {
  return requirements.map(({ type, minCount, freshnessDays }) => {
    const ofType = evidence.filter((item) => item.type === type);
    const fresh = ofType.filter((item) => (expiryOf(item, freshnessDays) ?? NEVER) > now);
    return { type, wanted: minCount, fresh: fresh.length, stale: ofType.length - fresh.length };
  });
}

/**
 * When evidence stops supporting an assessment. `null` for never. Without requirements, that is when all evidence has
 * expired.
 */
export function evidenceHoldsUntil(
  requirements: readonly EvidenceRequirement[],
  evidence: readonly DatedEvidence[],
): string | null {
  const ends = requirements.map(({ type, minCount, freshnessDays }) => {
    const expiries = evidence
      .filter((item) => item.type === type)
      .map((item) => expiryOf(item, freshnessDays) ?? NEVER);
    return expiries.sort().reverse()[minCount - 1] ?? "";
  });
  if (requirements.length === 0 && evidence.length > 0) {
    ends.push(
      evidence
        .map((item) => item.validUntil ?? NEVER)
        .sort()
        .at(-1) ?? NEVER,
    );
  }
  const [first = NEVER] = ends.sort();
  return first === NEVER ? null : first;
}
