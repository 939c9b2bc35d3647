import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { certificationItems } from "../items/schema.js";
import { certificationStatus } from "../machine.js";
import { needsConfirmation } from "../rules.js";
import { type Certification, certifications } from "../schema.js";

const RECENT = 100;

interface Closing {
  readonly reason: string | undefined;
  readonly triggeredBy: "user" | "system";
}

/** Ends the review of a campaign. From now on nobody decides; its jobs settle the rest. */
export function beginClose(ctx: Context, campaign: Certification, { reason, triggeredBy }: Closing) {
  const options = { reason, triggeredBy, patch: { closedAt: ctx.now } };
  return ctx.transition(certifications, certificationStatus, campaign, { event: "close" }, options);
}

/** How many items of a campaign count under each of some states. */
export async function countItems(ctx: Pick<Context, "db">, id: string, states: readonly string[]): Promise<number> {
  const where = { standing: states.map((state) => `${id} ${state}`) };
  return (await ctx.db.count(certificationItems, { where })).count;
}

/** Goes on after everything is settled: carries it out, or waits for somebody to confirm that so much is revoked. */
export async function settleClose(ctx: Context, campaign: Certification, silent: number): Promise<Certification> {
  const decided = await countItems(ctx, campaign.id, REVOKING);
  const items = await countItems(ctx, campaign.id, DECIDABLE);
  const recent = await revokedLately(ctx, campaign.id);
  const revokes = decided + silent;
  const isReport = campaign.remediation.mode === "report_only";
  const needs = !isReport && needsConfirmation({ items, revokes, silent, recent }, campaign.maxAutoRevokePercent);
  const confirmation = { revokes, silent, items, recent, by: null, at: null, chosen: needs ? null : ("all" as const) };
  const event = needs ? "hold" : "apply";
  const options = { triggeredBy: "system", patch: { confirmation } } as const;
  return ctx.transition(certifications, certificationStatus, campaign, { event }, options);
}

/** Under which items count whose access is ended, before and after. Nothing else is carried out before a close. */
export const REVOKING = ["revoke", "remediating", "remediated", "remediation_failed"];
const DECIDABLE = [...REVOKING, "certified", "modified", "abstained", "no_response"];

/** What campaigns that were closed within the last hour revoke, so that many small ones are not taken for plausible. */
async function revokedLately(ctx: Context, id: string): Promise<number> {
  const since = timestamp(ctx.request.nowMs - hoursMs(1));
  const order = { by: "closedAt", direction: "desc" } as const;
  const { rows } = await ctx.db.find(certifications, { order, range: { from: since }, size: RECENT });
  const others = rows.map(({ value }) => value).filter((one) => one.id !== id && one.status !== "cancelled");
  return others.reduce((sum, { confirmation }) => sum + appliedOf(confirmation), 0);
}

function appliedOf(confirmation: Certification["confirmation"]): number {
  if (!confirmation || confirmation.chosen === "none") return 0;
  return confirmation.chosen === "decided" ? confirmation.revokes - confirmation.silent : confirmation.revokes;
}
