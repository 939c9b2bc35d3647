import { differences } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { withInvolved } from "#kernel/records/involved.js";
import { type Asset, assets } from "../schema.js";

/**
 * What a change leaves on the asset for its next decision. `inRecord` names changed fields of its record, `material`
 * those of both that end an approval.
 */
export function notedOf(
  ctx: Context,
  before: Asset,
  patch: Partial<Asset>,
  { inRecord, material }: { readonly inRecord: readonly string[]; readonly material: readonly string[] },
): Partial<Asset> {
  const free = assets.involved?.free ?? [];
  const governed = inRecord.length > 0 || differences(before, patch).some(({ field }) => !free.includes(field));
  const inReview = before.governanceState === "under_review" || before.reviewUntil !== null;
  return {
    ...(inRecord.length > 0 ? { involved: withInvolved(before.involved, [ctx.principal.userId]) } : {}),
    ...(governed && inReview ? { changedInReview: true } : {}),
    // What was approved is not what would be reinstated.
    ...(before.governanceState === "suspended" && material.length > 0 ? { priorGovernanceState: null } : {}),
  };
}
