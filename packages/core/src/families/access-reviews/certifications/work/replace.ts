import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { CertificationStage } from "../fields.js";
import { certificationItemStatus } from "../items/machine.js";
import { askedBeforeOf, type CertificationItem, certificationItems } from "../items/schema.js";
import { assign } from "../reviewers/assign.js";
import { panelsOf } from "../reviewers/panels.js";
import { Reviewers } from "../reviewers/people.js";
import { outcomeOf, standing } from "../rules.js";
import type { Certification } from "../schema.js";

const QUIET = { event: false, stamp: false } as const;
const REASON = "Whoever was asked may review nothing any more.";

/** Ids of the reviewers of some items who may still review. */
export async function workingAmong(ctx: Context, items: readonly CertificationItem[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(items.flatMap(({ reviewers }) => reviewers))];
  return new Set((await new Reviewers(ctx).named(ids)).map(({ id }) => id));
}

/**
 * Asks nobody any more who has left without a decision. Where nobody else was asked, others are; where all others have
 * decided, that decides.
 */
export async function replaceAbsent(
  ctx: Context,
  campaign: Certification,
  items: readonly CertificationItem[],
): Promise<void> {
  const working = await workingAmong(ctx, items);
  const abandoned: CertificationItem[] = [];
  for (const item of items) {
    const voters = new Set(standing(item, item.decisions).map(({ by }) => by));
    const rest = item.reviewers.filter((id) => working.has(id) || voters.has(id));
    if (rest.length === item.reviewers.length) continue;
    if (rest.length === 0) abandoned.push(item);
    else await goOnWith(ctx, campaign, item, rest);
  }
  if (abandoned.length > 0) await askOthers(ctx, campaign, abandoned);
}

async function goOnWith(ctx: Context, campaign: Certification, item: CertificationItem, reviewers: string[]) {
  const [panelId = null] = await panelsOf(ctx, [reviewers]);
  const left = await ctx.update(
    certificationItems,
    item,
    { reviewers, panelId, askedBefore: askedBeforeOf(item) },
    QUIET,
  );
  const stage = campaign.stages[item.stage] as CertificationStage;
  const strategy = campaign.escalated ? "one_accepts" : stage.strategy;
  const rule = { strategy, quorum: stage.quorum, panel: reviewers.length, isOver: false };
  const outcome = outcomeOf(standing(left, left.decisions), rule);
  if (outcome === undefined) return;
  const options = { triggeredBy: "system", reason: REASON, patch: { outcome, decidedAt: ctx.now } } as const;
  await ctx.transition(certificationItems, certificationItemStatus, left, { event: "conclude" }, options);
}

/** Finds reviewers anew. That they were not asked from the beginning shows in `delegations`. */
async function askOthers(ctx: Context, campaign: Certification, items: readonly CertificationItem[]): Promise<void> {
  const ids = [...new Set(items.map(({ assignmentId }) => assignmentId))];
  const assignments = new Map((await ctx.db.getMany(accessAssignments, ids)).map((row) => [row.id, row.value]));
  const known = items.map((item) => ({ item, assignment: assignments.get(item.assignmentId) as AccessAssignment }));
  const stage = campaign.stages[campaign.stage] as CertificationStage;
  const assigned = await assign(ctx, campaign, stage, known);
  for (const [at, { item }] of known.entries()) {
    const { panelId = null, reviewers = [] } = assigned[at] ?? {};
    const [from = ""] = item.reviewers;
    const handed = reviewers.map((to) => ({ from, to, at: ctx.now, reason: REASON }));
    const patch = {
      ...{ panelId, reviewers, askedBefore: askedBeforeOf(item) },
      delegations: [...item.delegations, ...handed],
    };
    const data = { from, to: reviewers, reason: REASON };
    const event = { type: "access.certification_item.reassigned", severity: "WARN", data } as const;
    await ctx.update(certificationItems, item, patch, { event, stamp: false });
  }
}
