import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { certificationItemStatus } from "../items/machine.js";
import { certificationItems } from "../items/schema.js";
import type { CertificationRun } from "../schema.js";
import { BATCH, goOn, held } from "./continue.js";

/** Resolves what a cancelled campaign has not carried out, some at a time. */
export function resolveRest(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    const { rows } = await inner.db.find(certificationItems, { where: { unfinishedOf: campaign.id }, size: BATCH });
    const patch = { note: "The campaign was cancelled." };
    for (const { value } of rows) {
      const options = { triggeredBy: "system", patch } as const;
      await inner.transition(certificationItems, certificationItemStatus, value, { event: "resolve" }, options);
    }
    if (rows.length > 0) return goOn(inner, run, { dueAt: lease });
    return goOn(inner, run, { phase: "over", cursor: null, dueAt: null });
  });
}
