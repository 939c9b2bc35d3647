import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { attempts } from "./schema.js";

/** Deletes counters whose window has ended. Returns how many. */
export async function dropOldAttempts(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, attempts, { by: "endsAt", before: now }, tenantId, (ctx, row) => ctx.remove(attempts, row));
}
