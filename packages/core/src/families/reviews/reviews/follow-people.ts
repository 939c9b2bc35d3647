import { roles, standsAsBefore, type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { kindOf } from "./review-kinds.js";
import { assignedTo, type Review, reviewAt, reviews } from "./schema.js";

/** What was assigned to somebody who has left, or may not decide it any more, waits for everybody who may. */
export const followAssignees = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before || standsAsBefore(before, after)) return;
  const isWorking = after?.status === "active";
  const [had, has] = [before, after].map((user) => ctx.env.use(roles).permissionsOf(user?.roles ?? []));
  // Owners are assigned to conditions without the permission, so only its loss counts.
  const hasLost = ({ permission }: Review) => had?.has(permission) && !has?.has(permission);
  for await (const rows of everyPage(ctx.db, reviews, { where: { audience: assignedTo(before.id) } }))
    for (const { value: review } of rows) {
      if (kindOf(review).isPersonal || (isWorking && !hasLost(review))) continue;
      const { status } = reviewAt({ ...review, assignee: null }, ctx.now);
      await ctx.update(reviews, review, { assignee: null, status }, { stamp: false });
    }
});
