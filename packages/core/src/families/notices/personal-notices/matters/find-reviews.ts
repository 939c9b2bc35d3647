import { tenantSettings } from "#families/platform/index.js";
import { awaitedIn, helpersIn, type Review, reviewAt, reviews } from "#families/reviews/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { Matter, MatterSource } from "./matter.js";
import { rowsAbout } from "./rows-about.js";

/** What waits about these records, for those who may decide it, what of it is overdue, and what has waited for long. */
export const findReviews: MatterSource = async ({ ctx, ids, standIns }) => {
  const found = await rowsAbout(ctx.db, reviews, ids);
  const standing = found.map((review) => reviewAt(review, ctx.now)).filter(({ status }) => status !== "lapsed");
  const since = escalatedThrough(ctx);
  const long = standing.filter(({ createdAt }) => since !== undefined && createdAt <= since);
  const [people, helpers] = await Promise.all([awaitedIn(ctx, standing, standIns), helpersIn(ctx, long)]);
  const waiting = standing.flatMap((review, at): Matter[] => {
    const whose = review.assignee ?? undefined;
    const shared = { ...shown(review), whose, people: people[at] ?? [] };
    return [
      { ...shared, kind: "waiting", key: review.id },
      // Told of once for each due date.
      ...(review.status === "overdue"
        ? [{ ...shared, kind: "overdue" as const, key: `${review.id} ${review.dueAt}` }]
        : []),
    ];
  });
  const escalated = long.map((review, at): Matter => {
    return { ...shown(review), kind: "escalated", key: review.id, people: helpers[at] ?? [] };
  });
  return [...waiting, ...escalated];
};

/** What began to wait by this moment is escalated; `undefined` where the tenant has nothing escalated. */
export function escalatedThrough(ctx: ReadContext): string | undefined {
  const { escalationHours } = tenantSettings(ctx);
  return escalationHours === null ? undefined : timestamp(ctx.request.nowMs - hoursMs(escalationHours));
}

function shown({ id, kind, name, subject, assetId, dueAt, endsAt }: Review): Omit<Matter, "kind" | "key" | "people"> {
  return { name, matter: kind, subject, assetId, page: `inbox/${id}`, dueAt: dueAt ?? endsAt };
}
