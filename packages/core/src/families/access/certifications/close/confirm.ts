import { z } from "zod";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { certificationItems } from "../items/schema.js";
import { certificationStatus } from "../machine.js";
import { panelsWith } from "../reviewers/panels.js";
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

/** Panels that are looked for at once. */
const SOME = 100;

/** Lets a campaign revoke what it would, or less. 403 for its reviewers, and for hands in what it is about. */
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

async function requireNoReviewer(ctx: Context, { id: certificationId }: Certification): Promise<void> {
  const panels = await panelsWith(ctx, ctx.principal.userId);
  for (let at = 0; at < panels.length; at += SOME) {
    const where = { certificationId, panelId: panels.slice(at, at + SOME) };
    if ((await ctx.db.find(certificationItems, { where, size: 1 })).rows.length === 0) continue;
    throw new ReeveError("self_approval_forbidden", "Whoever reviews in a campaign does not confirm it.");
  }
}
