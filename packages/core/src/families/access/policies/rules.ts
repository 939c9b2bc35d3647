import type { Asset } from "#families/estate/index.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { type AccessProfile, RISK_LEVELS } from "../profiles/schema.js";
import { type AccessCover, PENDING_FOR, type PolicyTerms } from "./fields.js";

/** Access as far as a policy may cover it. */
export interface Coverable {
  readonly profile: Pick<
    AccessProfile,
    "id" | "connectorInstanceId" | "resourceType" | "effect" | "privilegeLevel" | "riskLevel"
  >;
  readonly resourceId: string;
  readonly asset: Pick<Asset, "id" | "assetType" | "environment">;
}

export const least = (durations: readonly string[]): string =>
  [...durations].sort((one, other) => millisecondsOf(one) - millisecondsOf(other))[0] as string;

/** How long a request waits that these policies decide about. */
export const pendingForOf = (policies: readonly Pick<PolicyTerms, "pendingFor">[]): string =>
  policies.length > 0 ? least(policies.map(({ pendingFor }) => pendingFor)) : PENDING_FOR;

const among = <T>(wanted: readonly T[] | undefined, one: T) => wanted === undefined || wanted.includes(one);

/** Whether a policy can be about access of an asset. */
export const couldCover = (cover: AccessCover, asset: Coverable["asset"]): boolean =>
  among(cover.assetIds, asset.id) &&
  among(cover.assetTypes, asset.assetType) &&
  among(cover.environments, asset.environment as never);

/** Whether a policy covers access. A cover without any member is of all access. */
export function isCovered(cover: AccessCover, { profile, resourceId, asset }: Coverable): boolean {
  const { privilegeAtLeast, riskAtLeast } = cover;
  return (
    among(cover.profileIds, profile.id) &&
    among(cover.connectorInstanceIds, profile.connectorInstanceId) &&
    among(cover.resourceIds, resourceId) &&
    among(cover.resourceTypes, profile.resourceType) &&
    among(cover.effects, profile.effect) &&
    (privilegeAtLeast === undefined || profile.privilegeLevel >= privilegeAtLeast) &&
    (riskAtLeast === undefined || RISK_LEVELS.indexOf(profile.riskLevel) >= RISK_LEVELS.indexOf(riskAtLeast)) &&
    couldCover(cover, asset)
  );
}
