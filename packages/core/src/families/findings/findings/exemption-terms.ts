import { type ExemptionStatus, ordinalOf, type Severity } from "./finding-terms.js";

/** The findings of an exemption: one by its fingerprint, or those of a policy on one asset or on selected ones. */
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
  /** Id of the policy. A later policy with the same key does not match. */
  readonly policyId: string;
  readonly scope: ExemptionScope;
  readonly maxSeverity: Severity;
  /** Holds only while the finding's evidence has this digest. */
  readonly boundEvidenceDigest: string | null;
  /** Ids of the assets that the selector matches. When absent, a selector matches none. */
  readonly selected?: ReadonlySet<string>;
}

/** The state of an exemption at a moment. An approved one is scheduled, active or expired. */
export type ExemptionState = Exclude<ExemptionStatus, "approved"> | "scheduled" | "active";

/** The only code that decides whether an exemption holds. It holds while it is `active`. */
export function exemptionState(exemption: ExemptionTime, now: string): ExemptionState {
  if (exemption.status !== "approved") return exemption.status;
  if (exemption.expiresAt <= now) return "expired";
  return exemption.startsAt <= now ? "active" : "scheduled";
}

interface Found {
  readonly fingerprint: string;
  readonly policyId: string | null;
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly assetId: string;
}

/** The exemptions whose scope includes the finding. Time, severity and evidence are not checked. */
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

/** What a finding stores of an approved exemption whose scope includes it. */
export interface Cover {
  readonly exemptionId: string;
  readonly startsAt: string;
  readonly expiresAt: string;
  readonly maxSeverity: Severity;
  readonly boundEvidenceDigest: string | null;
}

/** The most covers of one finding. Those that end last are kept. */
export const MOST_COVERS = 20;

/** The covers of a finding by these exemptions, without expired ones. */
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

/** The covers that have not expired, those that end last first. */
export function lasting(covers: readonly Cover[], now: string): Cover[] {
  return covers
    .filter((cover) => stateOf(cover, now) !== "expired")
    .sort((one, other) => (one.expiresAt === other.expiresAt ? order(one, other) : later(one, other)))
    .slice(0, MOST_COVERS);
}

/** Whether there are more covers than a finding keeps. */
export function areTooMany(covers: readonly Cover[], now: string): boolean {
  return covers.filter((cover) => stateOf(cover, now) !== "expired").length > MOST_COVERS;
}

/** The cover that exempts a finding at a moment: it holds in time, and its limits on severity and evidence match. */
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
