import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { leaseReconciliations } from "./work/lease.js";
import { workOn } from "./work/work.js";

/** The most reconciliations of a tenant in one `tick`. */
const MOST = 256;

/** Makes targets agree with the assignments of a tenant. One process works on each grant. Returns how many were due. */
export async function runReconciliationJobs(env: Environment, tenantId: string): Promise<number> {
  let done = 0;
  while (done < MOST) {
    const { reconciliations, due } = await leaseReconciliations(env, tenantId, optionsOf(env).connectorConcurrency);
    if (due === 0) break;
    await Promise.all(reconciliations.map((reconciliation) => workOn(env, tenantId, reconciliation)));
    done += due;
  }
  return done;
}
