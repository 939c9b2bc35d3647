import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { registryKeyHashes } from "./schema.js";

/** When keys that were replaced stop. */
export const registryDues: readonly Due[] = [dueBy(registryKeyHashes, "expiresAt")];

/** Deletes the hashes of keys that have stopped. Returns how many. */
export function runRegistryJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, registryKeyHashes, { by: "expiresAt", before: now }, tenantId, (ctx, hash) =>
    ctx.remove(registryKeyHashes, hash, { event: false }),
  );
}
