import { type Finding, findings } from "#families/findings/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { assets } from "../assets/schema.js";
import { haltStatus } from "./machine.js";
import { haltedAgents } from "./queries.js";
import { type Halt, halts } from "./schema.js";
import { severityOf } from "./start/start.js";

export const liftCriticalHalt = defineFourEyes(
  "halt: lift",
  "Lifting a halt that a finding of critical severity caused",
);

/**
 * Lifts a halt within the transaction, or records the first of two people who want it lifted. 403
 * `self_approval_forbidden` for the same person twice, and for the owner of the finding's asset as the second one.
 */
export async function liftHalt(ctx: Context, halt: Halt, reason: string): Promise<Halt> {
  const finding = await causeOf(ctx, halt);
  const { userId: by } = ctx.principal;
  if (halt.findingSeverity !== "critical" && !(finding && severityOf(finding) === "critical"))
    return lifted(ctx, halt, reason, false);
  const { liftRequest: asked } = halt;
  if (!asked) return ctx.update(halts, halt, { liftRequest: { by, at: ctx.now, reason } }, { reason });
  const relatedParty = await requireFourEyes(ctx, {
    act: liftCriticalHalt.act,
    subject: subjectOf(halts, halt.id),
    name: halt.name,
    involved: { ids: [asked.by, ...(await ownerOf(ctx, finding))], beyond: 0 },
    related: halts.related?.(halt) ?? [],
  });
  return lifted(ctx, halt, reason, relatedParty);
}

async function lifted(ctx: Context, halt: Halt, reason: string, relatedParty: boolean): Promise<Halt> {
  const { userId: liftedBy } = ctx.principal;
  const patch = { liftRequest: null, liftedBy, liftedAt: ctx.now, liftedReason: reason, relatedParty };
  const shownUnder = await haltedAgents(ctx, halt);
  return ctx.transition(halts, haltStatus, halt, { event: "lift" }, { reason, patch, shownUnder });
}

/** The finding that caused a halt as it is now. `undefined` without one, and when it is gone. */
async function causeOf(ctx: Context, { findingId }: Halt): Promise<Finding | undefined> {
  const row = findingId === null ? undefined : await ctx.db.get(findings, findingId);
  return row && ctx.derived(findings, row);
}

async function ownerOf(ctx: Context, finding: Finding | undefined): Promise<string[]> {
  const owner = finding && (await ctx.db.get(assets, finding.assetId))?.value.owner;
  return owner ? [owner.id] : [];
}
