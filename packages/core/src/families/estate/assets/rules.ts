import { ReeveError } from "#kernel/http/errors.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { lowered } from "./classify-lowering.js";
import { isApproved, stopOf } from "./machine.js";
import type { Asset } from "./schema.js";

/** 409 while an asset is in use. It must be retired before it is deleted. */
export function refuseInUse(asset: Pick<Asset, "status">): void {
  if (asset.status === "production" || asset.status === "deprecated")
    throw new ReeveError("in_use", `The asset is in use (${asset.status}); retire it first.`);
}

type RiskInput = Pick<
  Asset,
  "riskTier" | "dataClassification" | "autonomy" | "environment" | "owner" | "sponsor" | "status" | "source"
>;

const POINTS = {
  riskTier: { prohibited: 60, high: 35, limited: 15, unclassified: 10, minimal: 0 },
  dataClassification: { restricted: 20, confidential: 12, unknown: 5, internal: 3, public: 0 },
  autonomy: { autonomous: 15, supervised: 7, assistive: 0 },
  environment: { production: 10, staging: 4, unknown: 4, test: 1, development: 0 },
} as const;

/** The risk of an asset, with reasons. The same input always gives the same score. */
export function assessRisk(asset: RiskInput): Pick<Asset, "riskScore" | "riskFactors"> {
  const factors = [
    { key: `riskTier:${asset.riskTier}`, points: POINTS.riskTier[asset.riskTier] },
    {
      key: `dataClassification:${asset.dataClassification}`,
      points: POINTS.dataClassification[asset.dataClassification],
    },
    { key: `autonomy:${asset.autonomy}`, points: POINTS.autonomy[asset.autonomy] },
    { key: `environment:${asset.environment}`, points: POINTS.environment[asset.environment] },
    { key: "owner:missing", points: asset.owner ? 0 : 8 },
    { key: "sponsor:missing", points: asset.sponsor ? 0 : 4 },
    { key: "source:discovered", points: asset.status === "discovered" ? 8 : 0 },
  ].filter((factor) => factor.points > 0);
  const sum = factors.reduce((total, factor) => total + factor.points, 0);
  return { riskScore: Math.min(100, sum), riskFactors: factors };
}

/** The fields in `reReviewOn` that differ between two versions of an asset, and those that were lowered. */
export function changedFields(before: Asset, after: Asset, reReviewOn: readonly string[]): string[] {
  const value = (asset: Asset, field: string) =>
    JSON.stringify(field === "owner" ? whoOwns(asset) : asset[field as never]);
  const changed = reReviewOn.filter((field) => value(before, field) !== value(after, field));
  const used = new Set(usedIds(before));
  const usesMore = after.assetType === "agent" && usedIds(after).some((id) => !used.has(id));
  // What an agent uses by a relation is as good as an entry of its lists.
  const related = usesMore && reReviewOn.includes("toolIds") ? ["relations"] : [];
  return [...new Set([...changed, ...related, ...lowered(before, after)])];
}

/** Ids of what an asset says it uses, by its relations. */
export const usedIds = ({ relations }: Pick<Asset, "relations">): string[] =>
  relations.filter(({ type }) => type === "uses").map(({ targetId }) => targetId);

/** Another name of the same person is no change of owner. */
const whoOwns = ({ owner }: Asset) => owner && [owner.type, owner.id];

/** Whether an asset may be used at a moment as far as it alone tells, and why. */
export interface OwnDecision {
  readonly decision: "allow" | "warn" | "deny";
  readonly reasons: readonly string[];
  readonly asOf: string;
}

/** Days in which an approval that has expired, or with an overdue condition, still allows use with a warning. */
export const GRACE_DAYS = 14;

/** The first matching denial decides. Warnings add up. `asset` must be as of `now`. */
export function effectiveDecision(asset: Asset, engagedSwitch: string | undefined, now: string): OwnDecision {
  const deny = (reason: string): OwnDecision => ({ decision: "deny", reasons: [reason], asOf: now });
  if (engagedSwitch !== undefined) return deny(`kill_switch:${engagedSwitch}`);
  const stop = stopOf(asset);
  if (stop !== undefined) return deny(`governance_state:${stop}`);
  if (asset.status === "retired") return deny("lifecycle:retired");
  if (asset.riskTier === "prohibited") return deny("risk_tier:prohibited");
  if (asset.governanceState === "expired" && graceEnd(asset) <= now) return deny("approval:expired");
  const expiring = asset.governanceState === "expired";
  if (asset.environment === "production" && !isApproved(asset.governanceState) && !expiring) {
    return deny(`production_without_approval:${asset.governanceState}`);
  }
  const overdue = asset.conditions.filter(({ metAt, dueAt }) => metAt === null && dueAt !== null && dueAt <= now);
  const failed = overdue.find(({ dueAt }) => graceAfter(dueAt) <= now);
  if (failed) return deny(`condition_overdue:${failed.key}`);
  const warnings = [
    ...(expiring ? ["approval:expired_within_grace"] : []),
    ...(asset.status === "deprecated" ? ["lifecycle:deprecated"] : []),
    ...asset.conditions
      .filter((condition) => condition.metAt === null)
      .map((condition) => `${overdue.includes(condition) ? "condition_overdue" : "condition_unmet"}:${condition.key}`),
  ];
  return { decision: warnings.length > 0 ? "warn" : "allow", reasons: warnings, asOf: now };
}

const graceEnd = ({ approvedUntil }: Asset) => graceAfter(approvedUntil);

function graceAfter(moment: string | null): string {
  const end = moment === null ? 0 : Date.parse(moment);
  return timestamp(end + daysMs(GRACE_DAYS));
}
