import { accessAssignments } from "#families/access-grants/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { factsOf } from "../certification-facts.js";
import { askedBeforeOf, type CertificationItem, certificationItems } from "../items/schema.js";
import { involvedInAccess } from "../reviewers/involved-in-access.js";
import { panelsOf } from "../reviewers/panels.js";
import { isAmong, Reviewers } from "../reviewers/people.js";
import type { Certification } from "../schema.js";
import type { ItemReview } from "./body.js";

/** Hands an item to somebody else, who takes the caller's place. 409 once the caller has decided it. */
export async function delegate(ctx: Context, { status }: Certification, item: CertificationItem, given: ItemReview) {
  const { userId } = ctx.principal;
  const reason = requireReason(given.reason);
  const isOpen = status === "active" && item.status === "pending" && item.dueAt !== null && ctx.now < item.dueAt;
  const hasVoted = item.decisions.some(({ by, stage }) => by === userId && stage === item.stage);
  if (!isOpen || hasVoted)
    throw transitionRefused("Only what you may decide and have not decided is handed on.", { current: item.status });
  const to = given.delegateTo ?? "";
  const assignment = await ctx.getOrThrow(accessAssignments, item.assignmentId);
  const involved = [
    ...involvedInAccess(assignment, (await factsOf(ctx, [assignment]))(assignment)),
    ...item.decisions.map(({ by }) => by),
    ...item.delegations.map(({ from }) => from),
    ...item.reviewers,
  ];
  const [user] = await new Reviewers(ctx).named([to]);
  if (!user || isAmong(user, involved))
    throw invalidProperty("/delegateTo", "Name a user who may review this access and does not review it already.");
  const reviewers = [...item.reviewers.filter((id) => id !== userId), user.id].sort();
  const [panelId = null] = await panelsOf(ctx, [reviewers]);
  const askedBefore = askedBeforeOf(item);
  const delegations = [...item.delegations, { from: userId, to: user.id, at: ctx.now, reason }];
  const event = { type: "access.certification_item.delegated", data: { from: userId, to: user.id, reason } };
  return ctx.update(certificationItems, item, { reviewers, panelId, askedBefore, delegations }, { event });
}
