import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { browserSessions } from "./schema.js";

/** Deletes sessions that are over. Returns how many. */
export async function dropExpiredSessions(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, browserSessions, { by: "expiresAt", before: now }, tenantId, (ctx, session) =>
    ctx.remove(browserSessions, session),
  );
}
