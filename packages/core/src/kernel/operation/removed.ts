import { timestamp } from "#ports/clock.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import type { Reader } from "#store/store.js";
import type { Environment } from "../config/environment.js";
import type { DueState } from "./dues.js";
import { LONG_AGO } from "./removals.js";
import { dropThrough, retentionOf } from "./retention.js";
import { systemContext } from "./system-context.js";
import { tableOf } from "./table.js";

/** Rows that one transaction deletes, and transactions for one tenant in one tick. */
const BATCH = 500;
const BATCHES = 100;

/** When removed records are to be deleted for good. */
export const removedDue: DueState = {
  removals: (env) => retentionOf(env, "deletedRecords"),
  async next(env, reader, now) {
    const first = await firstRemoval(env, reader);
    if (first === undefined) return null;
    if (first === LONG_AGO) return now;
    const kept = retentionOf(env, "deletedRecords");
    return kept === undefined ? null : timestamp(Date.parse(first) + kept);
  },
};

/** Deletes removed records of a tenant for good that are older than they are kept, some at a time. Returns how many. */
export async function dropRemoved(env: Environment, tenantId: string): Promise<number> {
  const removedThrough = dropThrough(env, "deletedRecords") ?? LONG_AGO;
  const first = await firstRemoval(env, env.store.forTenant(tenantId));
  if (first === undefined || first > removedThrough) return 0;
  let dropped = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const { counts, done } = await systemContext(env, tenantId, "tick").write((ctx) =>
      ctx.purge({ removedThrough }, BATCH),
    );
    dropped += Object.values(counts).reduce((sum, n) => sum + n, 0);
    if (done) break;
    await yieldToEventLoop();
  }
  return dropped;
}

function firstRemoval(env: Environment, reader: Reader): Promise<string | undefined> {
  return reader.firstRemoval(env.use(tableOf).collections.filter(({ retain }) => retain));
}
