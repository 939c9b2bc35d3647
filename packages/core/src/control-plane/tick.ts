import { EventLoopYielder } from "#store/event-loop.js";
import { collections, families } from "../families/index.js";
import { optionsOf } from "../families/options.js";
import { tenants } from "../families/platform/index.js";
import { inParallel } from "../kernel/async/in-parallel.js";
import type { Environment } from "../kernel/config/environment.js";
import { lastTick } from "../kernel/config/last-tick.js";
import { storeOf } from "../kernel/config/store-access.js";
import { settleDue } from "../kernel/operation/dues.js";
import { firstDues } from "../kernel/operation/first-dues.js";
import { applyDueTimeTransitions } from "../kernel/operation/time-transitions.js";
import type { DueTenant } from "../store/store.js";
import { dueEverywhere } from "./due-everywhere.js";

/** How long a process may be silent before another one takes its tenants over, in milliseconds. */
const LEASE = 30_000;
/** How long jobs may run before other work of the process gets its turn, in milliseconds. */
const TURN = 5;
/** Tenants read at a time. */
const BATCH = 500;

/**
 * Runs the jobs of tenants that have something due, of several at once. One process works on each. A tenant that fails
 * does not stop the others. Once `signal` has aborted no further tenant or job begins.
 */
export async function tick(
  env: Environment,
  at: string,
  signal: AbortSignal,
): Promise<{ done: number; failed: number }> {
  const counts = { done: 0, failed: 0 };
  // Reads of SQLite never wait, so that requests would.
  const yielder = new EventLoopYielder(TURN);
  const attempt = async (work: () => AsyncIterable<number>, tenantId?: string) => {
    try {
      for await (const some of work()) {
        counts.done += some;
        if (yielder.isDue) await yielder.pass();
      }
    } catch (error) {
      counts.failed += 1;
      env.logger.error(
        { ...(tenantId === undefined ? {} : { tenantId }), error: String(error) },
        tenantId === undefined ? "a part of a tick failed" : "jobs of a tenant failed; the next tick tries again",
      );
    }
  };
  await attempt(() => prepare(env, at));
  await inParallel(dueTenants(env, at), optionsOf(env).tickConcurrency, async (tenantId) => {
    if (signal.aborted) return;
    await attempt(() => claimedJobs(env, tenantId, at, signal), tenantId);
  });
  if (!signal.aborted) env.use(lastTick).at = at;
  return counts;
}

/** What comes before the jobs of single tenants. */
async function* prepare(env: Environment, at: string): AsyncGenerator<number> {
  for (const { flush } of families) if (flush) yield await flush(env);
  await dueEverywhere(env, at);
}

/** Each tenant that has something due once. */
async function* dueTenants(env: Environment, at: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  let after: DueTenant | undefined;
  do {
    const found: readonly DueTenant[] = await storeOf(env).dues.find(at, BATCH, after);
    for (const { tenantId } of found) {
      if (!seen.has(tenantId)) yield tenantId;
      seen.add(tenantId);
    }
    after = found.length < BATCH ? undefined : found.at(-1);
  } while (after);
}

/**
 * The jobs of a tenant, unless another process does them. Notes when something is due next, or gives the tenant up to
 * another process when jobs are left.
 */
async function* claimedJobs(
  env: Environment,
  tenantId: string,
  at: string,
  signal: AbortSignal,
): AsyncGenerator<number> {
  const { dues } = storeOf(env);
  const claim = await dues.claim(tenantId, at, LEASE);
  if (claim === undefined || (await isBeingErased(env, tenantId))) return;
  // Another process may take over what is not renewed. The work of both is safe.
  const renew = (ms: number) => dues.renew(tenantId, claim, ms).catch(() => undefined);
  const renewing = setInterval(renew, LEASE / 3, LEASE).unref();
  const firsts = env.use(firstDues);
  try {
    await firsts.look(env, tenantId, at);
    yield* runJobs(env, tenantId, at, signal);
    if (signal.aborted) await renew(0);
    else await settleDue(env, tenantId, claim, at, firsts.nextAfter(tenantId, at));
  } catch (error) {
    await renew(0);
    throw error;
  } finally {
    clearInterval(renewing);
    firsts.forget(tenantId);
  }
}

/** Whether a tenant's rows are being deleted. Jobs would stumble over what is left. */
async function isBeingErased(env: Environment, tenantId: string): Promise<boolean> {
  return (await env.store.forTenant(tenantId).get(tenants, tenantId))?.value.status === "erasing";
}

/** The jobs of one tenant, until `signal` aborts. Yields how much each did. */
async function* runJobs(env: Environment, tenantId: string, at: string, signal: AbortSignal): AsyncGenerator<number> {
  for (const collection of collections) {
    if (signal.aborted) return;
    yield await applyDueTimeTransitions(env, collection, tenantId, at);
  }
  for (const { tick: jobs } of families) {
    if (signal.aborted) return;
    if (jobs) yield await jobs(env, tenantId, at);
  }
}
