import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { clientCredentials } from "./schema.js";

/** How long expired credentials stay listed, in milliseconds. */
export const KEPT = daysMs(30);

/** Deletes credentials that expired a month ago. Returns how many. */
export async function dropExpiredCredentials(env: Environment, tenantId: string, now: string): Promise<number> {
  const expired = { by: "expiresAt", before: timestamp(Date.parse(now) - KEPT) };
  return forEachDue(env, clientCredentials, expired, tenantId, (ctx, credential) =>
    ctx.remove(clientCredentials, credential),
  );
}
