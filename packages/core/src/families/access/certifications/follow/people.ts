import { defineFollower } from "../../../../kernel/operation/area.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { type User, users } from "../../../identity/index.js";
import { askedReviewers } from "../asked/schema.js";
import { certificationRuns, certifications } from "../schema.js";

const PAGE = 500;

/** Has campaigns look for other reviewers at once when one whom they ask has left, or lost a role. */
export const followReviewers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before) return;
  const isSame = after && after.status === before.status && after.roles.join(" ") === before.roles.join(" ");
  if (isSame) return;
  let next: { readonly by: string | number | null; readonly id: string } | undefined;
  do {
    const query = { where: { status: "active" }, size: PAGE, ...(next ? { after: next } : {}) };
    const found = await ctx.db.find(certifications, query);
    const keys = found.rows.map(({ id: certificationId }) => ({ certificationId, userId: before.id }));
    for (const row of await ctx.db.lookupMany(askedReviewers, "person", keys))
      if (row) await lookForOthers(ctx, row.value.certificationId);
    next = found.next;
  } while (next);
});

/** Has a campaign go through its items once more, to find those whose reviewers are gone. */
async function lookForOthers(ctx: Context, certificationId: string): Promise<void> {
  const run = (await ctx.db.lookup(certificationRuns, "certification", { certificationId }))?.value;
  if (run?.phase !== "reviewing" && run?.phase !== "assigning") return;
  await ctx.update(certificationRuns, run, { phase: "assigning", cursor: null, dueAt: ctx.now });
}
