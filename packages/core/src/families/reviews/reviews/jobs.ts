import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Review, reviewAt, reviews } from "./schema.js";

/** Tells once of each review that is overdue. Returns of how many. */
export function escalateOverdue(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, reviews, { by: "escalatesAt", through: now }, tenantId, escalate);
}

async function escalate(ctx: Context, review: Review): Promise<void> {
  const { kind, subject, key, assignee, permission, dueAt } = review;
  const data = { kind, subject, key, assignee, permission, dueAt };
  const event = { type: "review.overdue", severity: "WARN", data } as const;
  const { status } = reviewAt(review, ctx.now);
  await ctx.update(reviews, review, { escalatedAt: ctx.now, status }, { event });
}
