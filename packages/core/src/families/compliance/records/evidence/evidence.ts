import type { EvidenceRequirement } from "../../../../frameworks/index.js";
import { timestamp } from "../../../../ports/clock.js";

/** What matters of a piece of evidence for how long it counts. */
export interface DatedEvidence {
  readonly type: EvidenceRequirement["type"];
  readonly collectedAt: string;
  readonly validUntil: string | null;
}

const DAY = 86_400_000;
/** Sorts behind every moment. */
const NEVER = "~";

/** The moment from which a piece of evidence no longer counts towards a requirement; `null` when it always does. */
export function expiryOf(evidence: DatedEvidence, freshnessDays: number | null): string | null {
  const { collectedAt, validUntil } = evidence;
  const staleOn = freshnessDays === null ? null : timestamp(Date.parse(collectedAt) + freshnessDays * DAY);
  if (staleOn === null || validUntil === null) return staleOn ?? validUntil;
  return [staleOn, validUntil].sort()[0] ?? null;
}

/** How a requirement stands at a moment: what counts, and what would if it were not too old. */
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
 * The moment from which evidence no longer carries an assessment; `null` when it always does. Where nothing is required, all
 * that was given must be gone first.
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
