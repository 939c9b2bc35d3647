import { inChunks } from "#kernel/async/in-chunks.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { askedPanels, askedReviewers } from "./asked-schema.js";
import { askedOf, type CertificationItem, certificationItems } from "./items/schema.js";
import { panelsWith } from "./reviewers/panels.js";
import { certifications } from "./schema.js";

const QUIET = { event: false } as const;

/** Keeps the rows that tell whom a campaign waits for, in the transaction of each change of an item. */
export const followAsked = defineFollower(certificationItems, async (ctx, { before, after }) => {
  const was = before ? askedOf(before) : null;
  const is = after ? askedOf(after) : null;
  if (is !== null && (is !== was || before?.dueAt !== after?.dueAt)) await ask(ctx, after as CertificationItem);
  if (was !== null && is !== was) await askNoMore(ctx, before as CertificationItem, was);
});

/** Asks the panel of an item, unless another item has done so. */
async function ask(ctx: Context, { certificationId, panelId, reviewers, dueAt }: CertificationItem): Promise<void> {
  const key = { certificationId, panelId: panelId as string };
  const asked = await ctx.db.lookup(askedPanels, "panel", key);
  if (asked?.value.dueAt === dueAt) return;
  if (asked) await ctx.update(askedPanels, asked.value, { dueAt }, QUIET);
  else await ctx.insert(askedPanels, { ...key, dueAt }, QUIET);
  const people = await ctx.db.lookupMany(
    askedReviewers,
    "person",
    reviewers.map((userId) => ({ certificationId, userId })),
  );
  for (const row of people)
    if (row && row.value.dueAt !== dueAt) await ctx.update(askedReviewers, row.value, { dueAt }, QUIET);
  const missing = reviewers.filter((_, at) => !people[at]);
  if (missing.length === 0) return;
  const { name, ownerId } = await ctx.getOrThrow(certifications, certificationId);
  const fields = { certificationId, name, ownerId, dueAt };
  await ctx.insertMany(
    askedReviewers,
    missing.map((userId) => ({ ...fields, userId })),
    QUIET,
  );
}

/** Asks the panel of an item no more, once none of the campaign waits for it. */
async function askNoMore(ctx: Context, item: CertificationItem, askedBy: string): Promise<void> {
  const { certificationId, panelId, reviewers } = item;
  const { rows } = await ctx.db.find(certificationItems, { where: { askedBy }, size: 1 });
  if (rows.length > 0) return;
  const panel = await ctx.db.lookup(askedPanels, "panel", { certificationId, panelId: panelId as string });
  if (panel) await ctx.remove(askedPanels, panel.value, QUIET);
  for (const userId of reviewers) {
    const panels = await panelsWith(ctx, userId);
    const others = await inChunks(panels, (some) =>
      ctx.db.lookupMany(
        askedPanels,
        "panel",
        some.map((other) => ({ certificationId, panelId: other })),
      ),
    );
    if (others.some((row) => row)) continue;
    const person = await ctx.db.lookup(askedReviewers, "person", { certificationId, userId });
    if (person) await ctx.remove(askedReviewers, person.value, QUIET);
  }
}
