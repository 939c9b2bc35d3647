import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { leaseLanes } from "./work/lease.js";
import { workOn } from "./work/work.js";

/** The most lanes of a tenant in one `tick`. */
const MOST = 256;

/** Makes targets agree with the assignments of a tenant. One process works on each grant. Returns how many were due. */
export async function runLaneJobs(env: Environment, tenantId: string): Promise<number> {
  let done = 0;
  while (done < MOST) {
    const { lanes, due } = await leaseLanes(env, tenantId, optionsOf(env).connectorConcurrency);
    if (due === 0) break;
    await Promise.all(lanes.map((lane) => workOn(env, tenantId, lane)));
    done += due;
  }
  return done;
}
