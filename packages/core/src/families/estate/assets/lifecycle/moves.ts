import type { Context } from "../../../../kernel/operation/context.js";
import { optionsOf } from "../../../options.js";
import { assetLifecycle, governanceState } from "../machine.js";
import { incomingLinks } from "../relations/links.js";
import { checkRelations } from "../relations/relations.js";
import { assessRisk, materialChanges } from "../rules.js";
import { type Asset, assets } from "../schema.js";

/** What a caller says of a move, for its event. */
export interface Remarks {
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

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
  const data = retires ? { ...more, relations: await incomingLinks(ctx, asset.id) } : more;
  return ctx.transition(assets, assetLifecycle, asset, { to: status }, { reason, metadata, patch: risk, data });
}

/** Terms of an approval. */
export interface GovernanceDecision {
  readonly approvedUntil?: string | null | undefined;
  readonly conditions?: Asset["conditions"] | undefined;
}

/** Moves the governance state and the fields that depend on it. */
export function moveGovernance(
  ctx: Context,
  asset: Asset,
  to: string,
  { reason, metadata }: Remarks,
  decision: GovernanceDecision = {},
): Promise<Asset> {
  const patch = patchFor(asset, to, decision, ctx.principal.userId);
  return ctx.transition(assets, governanceState, asset, { to }, { reason, metadata, patch });
}

/** The fields that change with the governance state. */
function patchFor(asset: Asset, to: string, decision: GovernanceDecision, userId: string): Partial<Asset> {
  if (to === "under_review")
    return { requestedBy: userId, approvedUntil: null, conditions: [], priorGovernanceState: null };
  if (asset.governanceState === "suspended") return { priorGovernanceState: null };
  if (to === "suspended") return { priorGovernanceState: asset.governanceState };
  if (to === "approved") return { approvedUntil: decision.approvedUntil ?? null, conditions: [] };
  if (to === "conditionally_approved")
    return { approvedUntil: decision.approvedUntil ?? null, conditions: decision.conditions ?? [] };
  return {};
}

/**
 * Changes fields of an asset and reassesses its risk. An approved asset goes back to review after a material change, of
 * its own or in a related record (`alsoMaterial`).
 */
export async function changeAsset(
  ctx: Context,
  before: Asset,
  patch: Partial<Asset>,
  alsoMaterial: readonly string[] = [],
): Promise<Asset> {
  if (patch.relations) await checkRelations(ctx, assets, before, patch.relations);
  const after = await ctx.update(assets, before, { ...patch, ...assessRisk({ ...before, ...patch }) });
  const material = materialChanges(before, after, optionsOf(ctx.env).reReviewOn);
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
