import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { enrolmentCodes, installationKeys } from "./schema.js";

/** When codes end, and secrets that are over are dropped. */
export const installationDues: readonly Due[] = [dueBy(enrolmentCodes, "endsAt"), dueBy(installationKeys, "expiresAt")];

/** Ends codes and deletes the hashes of secrets that are over. Returns how many. */
export async function runInstallationJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, enrolmentCodes, tenantId, now);
  const over = { by: "expiresAt", before: now };
  const dropped = await forEachDue(env, installationKeys, over, tenantId, (ctx, key) =>
    ctx.remove(installationKeys, key, { event: false }),
  );
  return ended + dropped;
}
