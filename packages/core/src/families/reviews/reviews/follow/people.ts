import { defineFollower } from "../../../../kernel/operation/area.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { roles, type User, users } from "../../../identity/index.js";
import { kindOf } from "../kinds/kinds.js";
import { assignedTo, type Review, reviewAt, reviews } from "../schema.js";

const PAGE = 500;

/** What was assigned to somebody who has left, or may not decide it any more, waits for everybody who may. */
export const followAssignees = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before) return;
  const isWorking = after?.status === "active";
  if (isWorking && after.roles.join(" ") === before.roles.join(" ")) return;
  const [had, has] = [before, after].map((user) => ctx.env.use(roles).permissionsOf(user?.roles ?? []));
  // Owners are assigned to conditions without the permission, so only its loss counts.
  const hasLost = ({ permission }: Review) => had?.has(permission) && !has?.has(permission);
  await eachAssigned(ctx, before.id, async (review) => {
    if (kindOf(review).isPersonal || (isWorking && !hasLost(review))) return;
    const free = { ...review, assignee: null };
    const { status } = reviewAt(free, ctx.now);
    await ctx.update(reviews, review, { assignee: null, status }, { stamp: false });
  });
});

async function eachAssigned(ctx: Context, userId: string, work: (review: Review) => Promise<unknown>): Promise<void> {
  let after: { readonly by: string | number | null; readonly id: string } | undefined;
  do {
    const query = { where: { audience: assignedTo(userId) }, size: PAGE, ...(after ? { after } : {}) };
    const found = await ctx.db.find(reviews, query);
    for (const { value } of found.rows) await work(value);
    after = found.next;
  } while (after);
}
