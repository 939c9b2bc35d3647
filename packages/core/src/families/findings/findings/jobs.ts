import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { findings } from "./schema.js";
import { changeFinding } from "./write-review.js";

/**
 * Stores changes of findings that time has made, with their events: exemptions that began or ended, due dates that
 * passed. Returns how many.
 */
export function applyDueChanges(env: Environment, tenantId: string, now: string): Promise<number> {
  const due = { by: "nextChangeAt", through: now };
  return forEachDue(env, findings, due, tenantId, (ctx, finding) =>
    changeFinding(ctx, finding, {}, { triggeredBy: "system" }),
  );
}
