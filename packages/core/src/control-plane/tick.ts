import { collections, families } from "../families/index.js";
import type { Environment } from "../kernel/config/environment.js";
import { lastTick } from "../kernel/config/last-tick.js";
import { scrubbed } from "../kernel/http/scrub.js";
import { applyDueTimeTransitions } from "../kernel/operation/time-transitions.js";
import { everyTenant } from "./every-tenant.js";

/** Runs the jobs of every tenant. A tenant that fails does not stop the others. */
export async function tick(env: Environment, at: string): Promise<{ done: number; failed: number }> {
  let [done, failed] = [0, 0];
  for await (const tenantId of everyTenant(env.store)) {
    try {
      for await (const some of runJobs(env, tenantId, at)) done += some;
    } catch (error) {
      failed += 1;
      env.logger.error(
        { tenantId, error: scrubbed(String(error)) },
        "jobs of a tenant failed; the next tick tries again",
      );
    }
  }
  env.use(lastTick).at = at;
  return { done, failed };
}

/** The jobs of one tenant. Yields how much each did. */
async function* runJobs(env: Environment, tenantId: string, at: string): AsyncGenerator<number> {
  for (const collection of collections) yield await applyDueTimeTransitions(env, collection, tenantId, at);
  for (const area of families) if ("tick" in area && area.tick) yield await area.tick(env, tenantId, at);
}
