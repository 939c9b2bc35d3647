import { families } from "../families/index.js";
import type { Environment } from "../kernel/config/environment.js";
import { everyTenant } from "./every-tenant.js";

/** How far the work after a restore has come. */
export interface RestoreProgress {
  readonly tenants: number;
  /** Tokens, codes, links and keys that were ended. */
  readonly ended: number;
}

/** Ends in every tenant what a restored backup must not bring back, the platform first. */
export async function afterRestore(
  env: Environment,
  onProgress?: (progress: RestoreProgress) => void,
): Promise<RestoreProgress> {
  let progress = { tenants: 0, ended: 0 };
  for await (const tenantId of everyTenant(env.store)) {
    let { ended } = progress;
    for (const area of families) if (area.restored) ended += await area.restored(env, tenantId);
    progress = { tenants: progress.tenants + 1, ended };
    onProgress?.(progress);
  }
  return progress;
}
