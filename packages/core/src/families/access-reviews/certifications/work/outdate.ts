import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { outdateItem } from "../follow/outdate.js";
import { certificationItems } from "../items/schema.js";
import { type CertificationRun, certificationRuns } from "../schema.js";
import { BATCH, cursorOf, fromCursor, goOn, heldRun, LEASE } from "./continue.js";

/** Has access looked at again whose profile means something else now, some at a time. */
export function outdateProfile(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const run = await heldRun(inner, seen);
    const where = { reviewedProfile: run.accessProfileId };
    const found = await inner.db.find(certificationItems, { where, ...fromCursor(run, BATCH) });
    for (const { value } of found.rows) await outdateItem(inner, value, "Its access profile means something else.");
    if (found.next) {
      const dueAt = timestamp(inner.request.nowMs + LEASE);
      return goOn(inner, run, { cursor: cursorOf(found), dueAt });
    }
    await inner.remove(certificationRuns, run);
    return { ...run, dueAt: null };
  });
}
