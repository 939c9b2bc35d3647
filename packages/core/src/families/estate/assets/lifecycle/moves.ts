import { optionsOf } from "#families/options.js";
import { tenantSettings } from "#families/platform/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { NO_POSTURE } from "../asset-posture.js";
import { checkRelabel } from "../classify-lowering.js";
import { renewalRequest, reviewRequest } from "../governance-moves.js";
import { assetLifecycle, governanceState, isApproved } from "../machine.js";
import { countOpenFindings } from "../posture-count.js";
import { incomingLinks } from "../relations/links.js";
import { checkRelations } from "../relations/relations.js";
import { assessRisk, changedFields } from "../rules.js";
import { type Asset, assets } from "../schema.js";
import { notedOf } from "./noted.js";
import type { Remarks } from "./remarks.js";

/**
 * Moves `status` and reassesses the risk. `data` is added to the event and passed to followers of assets. The event of
 * a retirement lists incoming relations.
 */
export async function moveLifecycle(
  ctx: Context,
  asset: Asset,
  status: string,
  { reason, metadata }: Remarks,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Asset> {
  const risk = assessRisk({ ...asset, status: status as Asset["status"] });
  const retires = status === "retired" && asset.status !== "retired";
  const posture = retires ? NO_POSTURE : await postureBack(ctx, asset, status);
  const patch = { ...risk, ...posture };
  const data = retires ? { ...more, relations: await incomingLinks(ctx, asset.id) } : more;
  return ctx.transition(assets, assetLifecycle, asset, { to: status }, { reason, metadata, patch, data });
}

/** A retired asset keeps no numbers of findings. They are counted when it comes back. */
async function postureBack(ctx: Context, { id, status: from }: Asset, to: string): Promise<Partial<Asset>> {
  return from === "retired" && to !== "retired" ? { openFindings: await countOpenFindings(ctx, id) } : {};
}

/**
 * Changes fields of an asset and reassesses its risk. An approved asset goes back to review after a material change, of
 * its own or in its record (`inRecord`).
 */
export async function changeAsset(
  ctx: Context,
  before: Asset,
  patch: Partial<Asset>,
  inRecord: readonly string[] = [],
): Promise<Asset> {
  if (patch.relations) await checkRelations(ctx, assets, before, patch.relations);
  const next = { ...before, ...patch };
  checkRelabel(ctx, before, next);
  const isSame = next.riskTier === before.riskTier && next.dataClassification === before.dataClassification;
  const classified = isSame ? before.classified : null;
  const { reReviewOn } = optionsOf(ctx.env);
  const ofRecord = inRecord.filter((field) => reReviewOn.includes(field));
  const material = [...new Set([...changedFields(before, next, reReviewOn), ...ofRecord])];
  const noted = notedOf(ctx, before, patch, { inRecord, material });
  const changes = { ...patch, ...noted, ...assessRisk(next), classified };
  // A change of the record during its review is a version of the asset too, so that no decision overlooks it.
  const after = await ctx.update(assets, before, changes, noted.changedInReview ? { touch: true } : {});
  return isApproved(before.governanceState) ? reviewAgain(ctx, after, material) : after;
}

/** The approval ends at once, or stands while it is reviewed for as long as the tenant has set. */
async function reviewAgain(ctx: Context, asset: Asset, changed: readonly string[]): Promise<Asset> {
  if (changed.length === 0) return asset;
  const { reReviewDays: days } = tenantSettings(ctx);
  const { event, patch } = days > 0 ? renewalAfterChange(ctx, asset, days) : reviewRequest(ctx);
  const reason = `Changed after the approval: ${changed.join(", ")}.`;
  return ctx.transition(assets, governanceState, asset, { event }, { triggeredBy: "policy", reason, patch });
}

/** Nobody takes it back, because what was approved is not what is there. */
function renewalAfterChange(ctx: Context, asset: Asset, days: number) {
  const { event, patch } = renewalRequest(ctx, asset, inDays(ctx, days));
  return { event, patch: { ...patch, changedInReview: true } };
}

function inDays({ request: { nowMs } }: Context, days: number): string {
  return timestamp(nowMs + daysMs(days));
}
