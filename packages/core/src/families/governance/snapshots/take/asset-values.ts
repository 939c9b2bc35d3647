import type { Asset, Tool } from "#families/estate/index.js";
import { daysMs } from "#ports/durations.js";

/** Whole days from one moment to another, negative when it is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / daysMs(1));
}

/** The values of an asset that rules read, as of `now`. Only tools have effects. */
export function assetValues(asset: Asset, now: string, effects: Tool["effects"] = []) {
  const { id, name, description, assetType, provider, environment, governanceState } = asset;
  return {
    id,
    name,
    description,
    assetType,
    provider,
    source: asset.source,
    environment,
    lifecycle: asset.status,
    governanceState,
    approvalExpired: governanceState === "expired",
    riskTier: asset.riskTier,
    riskScore: asset.riskScore,
    dataClassification: asset.dataClassification,
    autonomy: asset.autonomy,
    purpose: asset.purpose,
    hasOwner: asset.owner !== null,
    hasSponsor: asset.sponsor !== null,
    hasTeam: asset.team !== null,
    effects,
    relations: asset.relations,
    labels: asset.labels,
    metadata: asset.metadata,
    createdAt: asset.createdAt,
    lastSeenAt: asset.lastSeenAt,
    ageDays: daysBetween(asset.createdAt, now),
    idleDays: daysBetween(asset.lastSeenAt ?? asset.createdAt, now),
  };
}
export type AssetValues = ReturnType<typeof assetValues>;
