import { accessAssignments } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { CertificationStage } from "../fields.js";
import { certificationItemStatus } from "../items/machine.js";
import { askedBeforeOf, type CertificationItem, certificationItems } from "../items/schema.js";
import { assign } from "../reviewers/assign.js";
import { isFinal, outcomeOf, standing } from "../rules.js";
import type { Certification, CertificationRun } from "../schema.js";
import { BATCH, cursorOf, fromCursor, goOn, held } from "./continue.js";
import { replaceAbsent } from "./replace.js";

const QUIET = { event: false, stamp: false } as const;
const BY_SYSTEM = { triggeredBy: "system" } as const;

/** Finds who reviews what in the present stage, some at a time. What is finally decided stays as it is. */
export function assignReviewers(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    if (campaign.status !== "active") return goOn(inner, run, { phase: "reviewing", cursor: null, dueAt: lease });
    const found = await inner.db.find(certificationItems, {
      where: { certificationId: campaign.id },
      ...fromCursor(run, BATCH),
    });
    const items = found.rows.map(({ value }) => value);
    const due = items.filter((item) => isDue(item, campaign));
    await replaceAbsent(
      inner,
      campaign,
      items.filter((item) => !due.includes(item) && isAsked(item)),
    );
    await assignAll(inner, campaign, due);
    if (found.next) return goOn(inner, run, { cursor: cursorOf(found), dueAt: lease });
    return goOn(inner, run, { phase: "reviewing", cursor: null, dueAt: lease });
  });
}

const isAsked = ({ status, panelId, dueAt }: CertificationItem) =>
  status === "pending" && panelId !== null && dueAt !== null;

function isDue({ status, stage, dueAt, outcome, panelId }: CertificationItem, campaign: Certification): boolean {
  if (campaign.escalated) return status === "pending" && panelId !== null;
  const isOpen = status === "pending" || status === "stale" || (status === "decided" && !isFinal(outcome));
  return isOpen && (dueAt === null || stage < campaign.stage);
}

async function assignAll(ctx: Context, campaign: Certification, due: readonly CertificationItem[]): Promise<void> {
  const remaining: CertificationItem[] = [];
  for (const item of due) if (!(await concluded(ctx, campaign, item))) remaining.push(item);
  if (remaining.length === 0) return;
  const ids = remaining.map(({ assignmentId }) => assignmentId);
  const assignments = new Map((await ctx.db.getMany(accessAssignments, ids)).map((row) => [row.id, row.value]));
  const known = remaining.flatMap((item) => {
    const assignment = assignments.get(item.assignmentId);
    return assignment ? [{ item, assignment }] : [];
  });
  const stage = campaign.stages[campaign.stage] as CertificationStage;
  const assigned = await assign(ctx, campaign, stage, known);
  for (const [at, { item }] of known.entries()) {
    const patch = {
      ...assigned[at],
      askedBefore: askedBeforeOf(item),
      stage: campaign.stage,
      dueAt: campaign.stageDueAt,
    };
    if (item.status === "decided") {
      const options = { ...BY_SYSTEM, patch: { ...patch, outcome: null, decidedAt: null } };
      await ctx.transition(certificationItems, certificationItemStatus, item, { event: "advance" }, options);
    } else await ctx.update(certificationItems, item, patch, QUIET);
  }
}

/** Whether the end of the stage before decides an item for good. */
async function concluded(ctx: Context, campaign: Certification, item: CertificationItem): Promise<boolean> {
  const stage = campaign.stages[item.stage];
  if (item.status !== "pending" || item.stage >= campaign.stage || !stage) return false;
  const votes = standing(item, item.decisions);
  const outcome = outcomeOf(votes, { ...stage, panel: item.reviewers.length, isOver: true });
  if (!isFinal(outcome ?? null)) return false;
  const patch = { outcome: outcome ?? null, decidedAt: ctx.now };
  await ctx.transition(
    certificationItems,
    certificationItemStatus,
    item,
    { event: "conclude" },
    { ...BY_SYSTEM, patch },
  );
  return true;
}
