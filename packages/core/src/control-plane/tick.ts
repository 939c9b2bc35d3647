import { collections, families } from "../families/index.js";
import { optionsOf } from "../families/options.js";
import { yieldToEventLoop } from "../kernel/async/event-loop.js";
import { inParallel } from "../kernel/async/in-parallel.js";
import type { Environment } from "../kernel/config/environment.js";
import { lastTick } from "../kernel/config/last-tick.js";
import { scrubbed } from "../kernel/http/scrub.js";
import { applyDueTimeTransitions } from "../kernel/operation/time-transitions.js";
import { everyTenant } from "./every-tenant.js";

/** Runs the jobs of every tenant, of several at once. A tenant that fails does not stop the others. */
export async function tick(
  env: Environment,
  at: string,
  signal?: AbortSignal,
): Promise<{ done: number; failed: number }> {
  let [done, failed] = [0, 0];
  await inParallel(everyTenant(env.store), optionsOf(env).tickConcurrency, async (tenantId) => {
    if (signal?.aborted) return;
    try {
      for await (const some of runJobs(env, tenantId, at)) done += some;
    } catch (error) {
      failed += 1;
      env.logger.error(
        { tenantId, error: scrubbed(String(error)) },
        "jobs of a tenant failed; the next tick tries again",
      );
    }
    // Reads of SQLite never wait, so that requests would.
    await yieldToEventLoop();
  });
  if (!signal?.aborted) env.use(lastTick).at = at;
  return { done, failed };
}

/** The jobs of one tenant. Yields how much each did. */
async function* runJobs(env: Environment, tenantId: string, at: string): AsyncGenerator<number> {
  for (const collection of collections) yield await applyDueTimeTransitions(env, collection, tenantId, at);
  for (const area of families) if ("tick" in area && area.tick) yield await area.tick(env, tenantId, at);
}
