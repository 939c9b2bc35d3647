import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { createCertification } from "../create/create.js";
import { termsOf } from "../create/repeat.js";
import { scopeOf } from "../fields.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import type { Certification } from "../schema.js";

const BATCH = 100;

/**
 * Begins a campaign about access that has changed since it was decided about, and that nobody can decide about any more
 * in this one. Returns how many items that were.
 */
export async function askAgainAboutStale(ctx: Context, campaign: Certification): Promise<number> {
  const { rows } = await ctx.db.find(certificationItems, { where: { staleOf: campaign.id }, size: BATCH });
  const items = rows.map(({ value }) => value);
  if (items.length > 0) await askAgain(ctx, campaign, items);
  return items.length;
}

export async function askAgain(ctx: Context, campaign: Certification, items: readonly CertificationItem[]) {
  const { id, name, metadata, attributes, iteration, requestId, kind } = campaign;
  const assignmentIds = [...new Set(items.map(({ assignmentId }) => assignmentId))];
  const terms = {
    ...termsOf(campaign),
    ...{ kind: kind === "emergency_review" ? kind : ("micro" as const), scope: scopeOf({ assignmentIds }) },
    ...{ startAt: ctx.now, dueAt: null, recurrence: null },
  };
  const begun = { name: nameOf(`Again: ${name}`), metadata, attributes, iteration, previousId: id, requestId };
  const again = await createCertification(ctx, terms, begun);
  const patch = { outcome: null, silent: false, note: `It has changed, and is asked about again in ${again.id}.` };
  const options = { triggeredBy: "system", reason: patch.note, patch } as const;
  for (const item of items)
    await ctx.transition(certificationItems, certificationItemStatus, item, { event: "resolve" }, options);
}
