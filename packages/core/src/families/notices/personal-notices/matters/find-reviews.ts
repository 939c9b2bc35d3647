import { awaitedIn, type Review, reviewAt, reviews } from "#families/reviews/index.js";
import type { Matter, MatterSource } from "./matter.js";
import { rowsAbout } from "./rows-about.js";

/** What waits about these records, for those who may decide it, and what of it is overdue. */
export const findReviews: MatterSource = async (ctx, ids) => {
  const found = await rowsAbout(ctx.db, reviews, ids);
  const standing = found.map((review) => reviewAt(review, ctx.now)).filter(({ status }) => status !== "lapsed");
  const people = await awaitedIn(ctx, standing);
  return standing.flatMap((review, at) => {
    const awaited = people[at] ?? [];
    // It was told of as overdue for this due date, so whoever gets a review afterwards is told at once.
    const overdue = review.status === "overdue" ? `${review.id} ${review.dueAt}` : undefined;
    return [
      { ...shown(review), kind: "waiting" as const, key: review.id, people: awaited },
      ...(overdue === undefined ? [] : [{ ...shown(review), kind: "overdue" as const, key: overdue, people: awaited }]),
    ];
  });
};

function shown({ id, kind, name, subject, assetId, dueAt, endsAt }: Review): Omit<Matter, "kind" | "key" | "people"> {
  return { name, matter: kind, subject, assetId, page: `inbox/${id}`, dueAt: dueAt ?? endsAt };
}
