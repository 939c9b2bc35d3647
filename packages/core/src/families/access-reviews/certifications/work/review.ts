import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { beginClose, countItems, REVOKING } from "../close/close.js";
import type { CertificationStage } from "../fields.js";
import { certificationItems } from "../items/schema.js";
import { needsConfirmation, stageEnd, undecidedStandings } from "../rules.js";
import { type Certification, type CertificationRun, certifications } from "../schema.js";
import { goOn, held } from "./continue.js";
import { refreshStale } from "./refresh.js";
import { nextDue, remediateDue } from "./remediate.js";

/** Sees to a campaign while reviewers decide: looks again at what has changed, carries out what may be, ends its stage. */
export function attend(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    if (campaign.status === "closing") return goOn(inner, run, { phase: "closing", cursor: null, dueAt: lease });
    if ((await refreshStale(inner, campaign.id)) > 0) return goOn(inner, run, { dueAt: lease });
    if ((await mayActNow(inner, campaign)) && (await remediateDue(inner, campaign)) > 0)
      return goOn(inner, run, { dueAt: lease });
    const { count: undecided } = await inner.db.count(certificationItems, {
      where: { standing: undecidedStandings(campaign.id) },
    });
    const isOver = campaign.stageDueAt !== null && campaign.stageDueAt <= inner.now;
    if (undecided > 0 && !isOver) return goOn(inner, run, { dueAt: await nextMoment(inner, campaign) });
    return endStage(inner, campaign, run, { lease, undecided });
  });
}

/** When something is to be done next although nobody decides anything. */
async function nextMoment(ctx: Context, campaign: Certification): Promise<string | null> {
  const { stageDueAt } = campaign;
  const due = (await mayActNow(ctx, campaign)) ? await nextDue(ctx, campaign) : undefined;
  return due !== undefined && (stageDueAt === null || due < stageDueAt) ? due : stageDueAt;
}

/** Whether decisions are carried out before the close. When they revoke much, somebody confirms that at the close. */
async function mayActNow(ctx: Context, { id, remediation, maxAutoRevokePercent }: Certification): Promise<boolean> {
  if (remediation.mode !== "immediate") return false;
  const items = await countItems(ctx, id, [
    ...REVOKING,
    "certified",
    "modified",
    "abstained",
    "pending",
    "held",
    "stale",
  ]);
  const revokes = await countItems(ctx, id, REVOKING);
  return !needsConfirmation({ items, revokes, silent: 0, recent: 0 }, maxAutoRevokePercent);
}

interface Ending {
  readonly lease: string;
  readonly undecided: number;
}

async function endStage(ctx: Context, campaign: Certification, run: CertificationRun, { lease, undecided }: Ending) {
  const { stage, stages, dueAt, onSilence, escalated } = campaign;
  const next = stages[stage + 1];
  const isOver = dueAt !== null && dueAt <= ctx.now;
  const mayEscalate = onSilence === "escalate" && !escalated && undecided > 0;
  if (!next && mayEscalate) return nextRound(ctx, campaign, run, lease, { escalated: true });
  if (next && !isOver) return nextRound(ctx, campaign, run, lease, { stage: stage + 1 });
  await beginClose(ctx, campaign, { reason: "Its time was over, or all is decided.", triggeredBy: "system" });
  return goOn(ctx, run, { phase: "closing", cursor: null, dueAt: lease });
}

/** Asks other reviewers: those of the next stage, or the owner of the campaign about what nobody has decided. */
async function nextRound(
  ctx: Context,
  campaign: Certification,
  run: CertificationRun,
  lease: string,
  round: Partial<Pick<Certification, "stage" | "escalated">>,
) {
  const stage = campaign.stages[round.stage ?? campaign.stage] as CertificationStage;
  // What is escalated gets time although the campaign was to close.
  const stageDueAt = stageEnd(stage, round.escalated ? null : campaign.dueAt, ctx.request.nowMs);
  const asked = await ctx.update(certifications, campaign, { ...round, stageDueAt }, { event: false, stamp: false });
  const subject = subjectOf(certifications, asked.id);
  const data = { stage: campaign.stage, name: asked.name };
  if (round.escalated) await ctx.emit({ type: "access.certification.escalated", subject, data });
  else await ctx.emit({ type: "access.certification.stage_completed", subject, data });
  return goOn(ctx, run, { phase: "assigning", cursor: null, dueAt: lease });
}
