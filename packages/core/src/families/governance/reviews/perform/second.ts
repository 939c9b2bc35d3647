import { assets } from "#families/estate/index.js";
import type { Finding } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, type FourEyesPlace, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { withInvolved } from "#kernel/records/involved.js";

export const dismissFinding = defineFourEyes("finding: dismiss", "Dismissing a high or critical finding");
export const lowerSeverity = defineFourEyes("finding: lower severity", "Lowering the severity of a finding");

/** 403 for who asked for it, for who claimed a fix, and for who owns the asset. */
export async function requireAnother(
  ctx: Context,
  { id, title, assetId, policyId, involved }: Finding,
  place: FourEyesPlace,
  askedBy: string,
): Promise<void> {
  const asset = (await ctx.db.get(assets, assetId))?.value;
  await requireFourEyes(ctx, {
    act: place.act,
    subject: { id, type: "finding", path: `/api/v1/ai-governance/findings/${id}` },
    name: nameOf(title),
    involved: withInvolved(involved, [askedBy, ...(asset?.owner ? [asset.owner.id] : [])]),
    related: policyId === null ? [assetId] : [assetId, policyId],
  });
}
