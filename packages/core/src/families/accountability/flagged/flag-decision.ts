import type { Context } from "#kernel/operation/context.js";
import type { Matter } from "#kernel/operation/four-eyes.js";
import { type FlaggedDecision, flaggedDecisions, RELATION_LENGTH } from "./schema.js";

/** Lists a decision by a related party, with an event of severity WARN. */
export async function flagDecision(ctx: Context, matter: Matter, relation: string): Promise<void> {
  const { act, subject, name, related } = matter;
  const decided = { decidedBy: ctx.principal.userId, relation: relation.slice(0, RELATION_LENGTH) };
  const open = await openOn(ctx, matter);
  if (open) await ctx.update(flaggedDecisions, open, decided);
  else
    await ctx.insert(flaggedDecisions, {
      act,
      subject: { ...subject, name },
      ...decided,
      settledAt: null,
      settledBy: null,
    });
  await ctx.emit({
    type: "decision.related_party",
    subject,
    related,
    severity: "WARN",
    data: { entity: { type: subject.type, id: subject.id, name }, act, ...decided },
  });
}

/** Settles an earlier flagged decision, because somebody unrelated has decided the same. */
export async function settleDecision(ctx: Context, matter: Matter): Promise<void> {
  const open = await openOn(ctx, matter);
  if (!open) return;
  await ctx.update(flaggedDecisions, open, { settledAt: ctx.now, settledBy: ctx.principal.userId });
}

async function openOn(ctx: Context, { act, subject }: Matter): Promise<FlaggedDecision | undefined> {
  const row = await ctx.db.lookup(flaggedDecisions, "open", { openOn: `${subject.id} ${act}` });
  return row?.value;
}
