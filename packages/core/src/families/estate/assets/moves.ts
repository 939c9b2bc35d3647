import type { Context } from "../../../kernel/context.js";
import { assetLifecycle, governanceState } from "./machine.js";
import { assessRisk, materialChanges } from "./rules.js";
import { type Asset, assets } from "./schema.js";

/** Moves `status` and reassesses the risk that goes with it. */
export function moveLifecycle(ctx: Context, asset: Asset, status: string, reason: string | undefined): Promise<Asset> {
  const risk = assessRisk({ ...asset, status: status as Asset["status"] });
  return ctx.transition(assets, assetLifecycle, asset, { to: status }, { reason, patch: risk });
}

/**
 * Changes fields of an asset and reassesses its risk. An approved one goes back to review when the change is material, or when
 * something that belongs to it has changed in ways that are (`alsoMaterial`).
 */
export async function changeAsset(
  ctx: Context,
  before: Asset,
  patch: Partial<Asset>,
  alsoMaterial: readonly string[] = [],
): Promise<Asset> {
  const after = await ctx.update(assets, before, { ...patch, ...assessRisk({ ...before, ...patch }) });
  const material = materialChanges(before, after, ctx.env.options.reReviewOn);
  return reviewAgain(ctx, after, [...material, ...alsoMaterial]);
}

async function reviewAgain(ctx: Context, asset: Asset, changed: readonly string[]): Promise<Asset> {
  if (changed.length === 0) return asset;
  return ctx.transition(
    assets,
    governanceState,
    asset,
    { event: "request_review" },
    {
      triggeredBy: "policy",
      reason: `Changed after the approval: ${changed.join(", ")}.`,
      patch: { requestedBy: ctx.principal.userId, approvedUntil: null, conditions: [] },
    },
  );
}
