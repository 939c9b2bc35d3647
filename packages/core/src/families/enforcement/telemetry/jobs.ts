import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { seenCalls } from "./schema.js";

/** When calls are so old that none of them is sent again. */
export const seenDues: readonly Due[] = [dueBy(seenCalls, "expiresAt")];

/** Forgets which calls were counted once they are not sent again. Returns how many records went. */
export function forgetSeen(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, seenCalls, { by: "expiresAt", before: now }, tenantId, (ctx, row) =>
    ctx.remove(seenCalls, row, { event: false }),
  );
}
