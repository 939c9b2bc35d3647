import { standsAsBefore, type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { askedReviewers } from "../asked-schema.js";
import { certificationRuns, certifications } from "../schema.js";

/** Has campaigns look for other reviewers at once when one whom they ask has left, or lost a role. */
export const followReviewers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before || standsAsBefore(before, after)) return;
  for await (const rows of everyPage(ctx.db, certifications, { where: { status: "active" } })) {
    const keys = rows.map(({ id: certificationId }) => ({ certificationId, userId: before.id }));
    for (const row of await ctx.db.lookupMany(askedReviewers, "person", keys))
      if (row) await lookForOthers(ctx, row.value.certificationId);
  }
});

/** Has a campaign go through its items once more, to find those whose reviewers are gone. */
async function lookForOthers(ctx: Context, certificationId: string): Promise<void> {
  const run = (await ctx.db.lookup(certificationRuns, "certification", { certificationId }))?.value;
  if (run?.phase !== "reviewing" && run?.phase !== "assigning") return;
  await ctx.update(certificationRuns, run, { phase: "assigning", cursor: null, dueAt: ctx.now });
}
