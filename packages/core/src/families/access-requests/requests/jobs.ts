import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { timestamp } from "#ports/clock.js";
import { workOn } from "./grant/work.js";
import { accessRequests } from "./schema.js";

const BATCH = 200;
/** The most requests of a tenant in one `tick`. */
const MOST = 1_000;
/** How long until one whose work failed is looked at again. */
const LOOK_AGAIN = 900_000;

/** Ends what nobody decided in time, asks others, and grants what was approved. Returns how many requests were due. */
export async function runRequestJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  let done = await applyDueTimeTransitions(env, accessRequests, tenantId, now);
  const due = { order: { by: "workAt", direction: "asc" }, range: { through: now }, size: BATCH } as const;
  for (let worked = 0; worked < MOST; ) {
    if (isQuiet(env, tenantId, accessRequests, { by: "workAt", through: now })) break;
    const { rows } = await env.store.forTenant(tenantId).find(accessRequests, due);
    if (rows.length === 0) break;
    for (const { id } of rows) await workOnOne(env, tenantId, id);
    worked += rows.length;
    done += rows.length;
  }
  return done;
}

/** Works on a request in a transaction of its own, so that one that fails keeps none of the others. */
async function workOnOne(env: Environment, tenantId: string, id: string): Promise<void> {
  const ctx = systemContext(env, tenantId, "access-request");
  try {
    await ctx.write(async (inner) => workOn(inner, await inner.getOrThrow(accessRequests, id)));
  } catch (error) {
    if (!ReeveError.is(error) || error.status >= 500) throw error;
    env.logger.warn({ tenantId, requestId: id, error: error.code }, "work on an access request failed");
    await ctx.write(async (inner) => {
      const request = await inner.getOrThrow(accessRequests, id);
      const lookAgainAt = timestamp(inner.request.nowMs + LOOK_AGAIN);
      await inner.update(accessRequests, request, { lookAgainAt }, { event: false, stamp: false, touch: true });
    });
  }
}
