import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { z } from "#schema/z.js";
import { certificationItems, wasAsked } from "../items/schema.js";
import { certificationStatus } from "../machine.js";
import { type Certification, certifications, REVOKES } from "../schema.js";
import { wake } from "../work/continue.js";
import { requireConfirmer } from "./second.js";

export const CertificationConfirmation = z
  .strictObject({
    revokes: z.enum(REVOKES).meta({ description: "What is revoked: all, what people decided, or nothing." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "AccessCertificationConfirmation",
    example: { revokes: "decided", reason: "Silence was due to the holidays." },
  });

/** Lets a campaign revoke what it would, or less. 403 for its reviewers, and for whoever is involved in the access that it is about. */
export async function confirmCertification(
  ctx: Context,
  campaign: Certification,
  { revokes: chosen, reason }: z.output<typeof CertificationConfirmation>,
): Promise<Certification> {
  const confirmation = campaign.confirmation;
  if (confirmation?.by && confirmation.chosen === chosen) return campaign;
  if (campaign.status === "awaiting_confirmation") {
    await requireNoReviewer(ctx, campaign);
    await requireConfirmer(ctx, campaign, chosen);
  }
  const patch = confirmation
    ? { confirmation: { ...confirmation, by: ctx.principal.userId, at: ctx.now, chosen } }
    : {};
  const move = { event: "confirm" } as const;
  const confirmed = await ctx.transition(certifications, certificationStatus, campaign, move, { reason, patch });
  await wake(ctx, campaign.id);
  return confirmed;
}

/** Whoever was asked in any stage is a reviewer, also when others have taken their place. */
async function requireNoReviewer(ctx: Context, { id: certificationId }: Certification): Promise<void> {
  const { userId } = ctx.principal;
  for await (const rows of everyPage(ctx.db, certificationItems, { where: { certificationId } }))
    if (rows.some(({ value }) => wasAsked(value, userId)))
      throw new ReeveError("self_approval_forbidden", "Whoever reviews in a campaign does not confirm it.");
}
