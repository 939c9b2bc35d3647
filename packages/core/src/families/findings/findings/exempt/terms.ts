import { type ExemptionStatus, ordinalOf, type Severity } from "../terms/vocabulary.js";

/** Which findings an exemption is about: one by its fingerprint, or those of a policy on one asset or on selected ones. */
export type ExemptionScope =
  | { readonly fingerprint: string }
  | { readonly policyKey: string; readonly ruleKeys: readonly string[]; readonly assetId: string }
  | { readonly policyKey: string; readonly ruleKeys: readonly string[]; readonly selector: object };

/** When an exemption holds. */
export interface ExemptionTime {
  readonly status: ExemptionStatus;
  readonly startsAt: string;
  readonly expiresAt: string;
}

/** What decides whether an exemption covers a finding. */
export interface Exemption extends ExemptionTime {
  readonly id: string;
  /** The policy it is about. One that takes its key later is another, and so are its findings. */
  readonly policyId: string;
  readonly scope: ExemptionScope;
  readonly maxSeverity: Severity;
  /** Holds only while the finding's evidence has this digest. */
  readonly boundEvidenceDigest: string | null;
  /** Ids of the assets that the selector takes in. Without it a selector takes in none. */
  readonly selected?: ReadonlySet<string>;
}

/** What an exemption is at a moment: its status, and for an approved one whether its time has come or gone. */
export type ExemptionState = Exclude<ExemptionStatus, "approved"> | "scheduled" | "active";

/** The one place that knows when an exemption holds. It holds while it is `active`. */
export function exemptionState(exemption: ExemptionTime, now: string): ExemptionState {
  if (exemption.status !== "approved") return exemption.status;
  if (exemption.expiresAt <= now) return "expired";
  return exemption.startsAt <= now ? "active" : "scheduled";
}

interface Found {
  readonly fingerprint: string;
  readonly policyId: string;
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly assetId: string;
}

/** Those of the exemptions whose scope takes in the finding, whatever their time and bounds. */
export function matching<E extends Pick<Exemption, "policyId" | "scope" | "selected">>(
  exemptions: readonly E[],
  finding: Found,
): E[] {
  return exemptions.filter(({ policyId, scope, selected }) => {
    if (policyId !== finding.policyId) return false;
    if ("fingerprint" in scope) return scope.fingerprint === finding.fingerprint;
    if (scope.policyKey !== finding.policyKey) return false;
    if (scope.ruleKeys.length > 0 && !scope.ruleKeys.includes(finding.ruleKey)) return false;
    return "assetId" in scope ? scope.assetId === finding.assetId : (selected?.has(finding.assetId) ?? false);
  });
}

/** What a finding keeps of an approved exemption whose scope takes it in. */
export interface Cover {
  readonly exemptionId: string;
  readonly startsAt: string;
  readonly expiresAt: string;
  readonly maxSeverity: Severity;
  readonly boundEvidenceDigest: string | null;
}

/** Covers a finding keeps, at most: those that end last. */
export const MOST_COVERS = 20;

/** The covers of a finding by these exemptions, those that still have time before them. */
export function coversOf(exemptions: readonly Exemption[], finding: Found, now: string): Cover[] {
  const holding = matching(exemptions, finding).filter((exemption) =>
    ["scheduled", "active"].includes(exemptionState(exemption, now)),
  );
  return lasting(
    holding.map(({ id, startsAt, expiresAt, maxSeverity, boundEvidenceDigest }) => ({
      exemptionId: id,
      startsAt,
      expiresAt,
      maxSeverity,
      boundEvidenceDigest,
    })),
    now,
  );
}

/** The covers that still have time before them, the last to end first. */
export function lasting(covers: readonly Cover[], now: string): Cover[] {
  return covers
    .filter((cover) => stateOf(cover, now) !== "expired")
    .sort((one, other) => (one.expiresAt === other.expiresAt ? order(one, other) : later(one, other)))
    .slice(0, MOST_COVERS);
}

/** Whether these are more than a finding keeps. */
export function areTooMany(covers: readonly Cover[], now: string): boolean {
  return covers.filter((cover) => stateOf(cover, now) !== "expired").length > MOST_COVERS;
}

/** The cover that exempts a finding at a moment: within its time, its severity and its evidence. */
export function coverAt(
  covers: readonly Cover[],
  { effectiveSeverity, evidence }: { effectiveSeverity: Severity; evidence: { digest: string } },
  now: string,
): Cover | undefined {
  return covers.find(
    (cover) =>
      stateOf(cover, now) === "active" &&
      ordinalOf(effectiveSeverity) <= ordinalOf(cover.maxSeverity) &&
      (cover.boundEvidenceDigest === null || cover.boundEvidenceDigest === evidence.digest),
  );
}

function stateOf({ startsAt, expiresAt }: Cover, now: string): ExemptionState {
  return exemptionState({ status: "approved", startsAt, expiresAt }, now);
}

const order = (one: Cover, other: Cover) => (one.exemptionId < other.exemptionId ? -1 : 1);
const later = (one: Cover, other: Cover) => (one.expiresAt > other.expiresAt ? -1 : 1);
