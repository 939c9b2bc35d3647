import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { settleClose } from "../close/close.js";
import type { CertificationStage } from "../fields.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { outcomeOf, standing } from "../rules.js";
import type { Certification, CertificationRun } from "../schema.js";
import { askAgain } from "./again.js";
import { BATCH, goOn, held } from "./continue.js";
import { workingAmong } from "./replace.js";

const BY_SYSTEM = { triggeredBy: "system" } as const;

/** Settles what nobody has decided, some at a time, and then carries the campaign out. */
export function settleUndecided(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    const { rows } = await inner.db.find(certificationItems, { where: { undecidedOf: campaign.id }, size: BATCH });
    const items = rows.map(({ value }) => value);
    const denied = campaign.remediation.mode === "report_only" ? [] : items.filter(wasDenied);
    if (denied.length > 0) await askAgain(inner, campaign, denied);
    const working = await workingAmong(inner, items);
    let silent = run.cursor === null ? 0 : Number(run.cursor);
    for (const item of items)
      if (!denied.includes(item)) silent += (await settle(inner, campaign, item, working)) ? 1 : 0;
    if (rows.length > 0) return goOn(inner, run, { cursor: String(silent), dueAt: lease });
    const settled = await settleClose(inner, campaign, silent);
    const dueAt = settled.status === "awaiting_confirmation" ? null : lease;
    return goOn(inner, run, { phase: "remediating", cursor: null, dueAt });
  });
}

/** Whether people had denied access that has changed since. Nobody has time to say so again. */
const wasDenied = ({ status, outcome }: CertificationItem) =>
  status === "stale" && (outcome === "revoke" || outcome === "modified");

/** Settles one item. Returns whether silence revokes it. */
async function settle(
  ctx: Context,
  campaign: Certification,
  item: CertificationItem,
  working: ReadonlySet<string>,
): Promise<boolean> {
  const stage = (campaign.stages[item.stage] ?? campaign.stages[0]) as CertificationStage;
  const votes = standing(item, item.decisions);
  const outcome = outcomeOf(votes, { ...stage, panel: item.reviewers.length, isOver: true });
  const move = (event: "conclude" | "pass", patch: Partial<CertificationItem>) =>
    ctx.transition(certificationItems, certificationItemStatus, item, { event }, { ...BY_SYSTEM, patch });
  if (item.status === "pending" && item.panelId !== null && outcome !== undefined) {
    await move("conclude", { outcome, decidedAt: ctx.now });
    return false;
  }
  const isSilent = revokesInSilence(campaign, item, working);
  await move("pass", { outcome: isSilent ? "revoke" : null, silent: isSilent, decidedAt: isSilent ? ctx.now : null });
  return isSilent;
}

/**
 * Silence revokes only what somebody could have decided as it is, in all of the time that was announced. Who has left
 * could not, and to whom it was handed on had less time.
 */
function revokesInSilence(
  { onSilence, stageDueAt, closedAt }: Certification,
  { status, reviewers, delegations }: CertificationItem,
  working: ReadonlySet<string>,
): boolean {
  const hadTime = stageDueAt !== null && closedAt !== null && stageDueAt <= closedAt;
  const isAsked = reviewers.some((id) => working.has(id) && !delegations.some(({ to }) => to === id));
  return onSilence === "revoke" && hadTime && status === "pending" && isAsked;
}
