import type { ConnectorError } from "#connectors/index.js";
import { instances, runSteps, type SteppedWork } from "#families/connectors/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { AT_REST, nextReading, usageInterval } from "./read/schedule.js";
import { LEASE, readUsage } from "./read/step.js";
import { windowStart } from "./rules.js";
import { accessUses, type UsageFeed, usageDays, usageFeeds } from "./schema.js";

const work: SteppedWork<UsageFeed> = { label: "usage", runs: usageFeeds, lease: LEASE, begin, step: readUsage, fail };

/** Reads the use of targets that are due, and deletes what retention lets go. Returns how much it did. */
export async function runUsageJobs(env: Environment, tenantId: string): Promise<number> {
  return (await runSteps(env, tenantId, work)) + (await dropOld(env, tenantId));
}

async function begin(ctx: Context, { connectorInstanceId }: UsageFeed): Promise<boolean> {
  const instance = (await ctx.db.get(instances, connectorInstanceId))?.value;
  return instance !== undefined && usageInterval(ctx.env, instance) !== undefined;
}

/** Gives up a reading. The next one begins where the last whole one ended, so that nothing is left out. */
async function fail(ctx: Context, { id, connectorInstanceId }: UsageFeed, failure: ConnectorError) {
  const { errorClass, code, message } = failure;
  const held = await ctx.getOrThrow(usageFeeds, id);
  await ctx.update(usageFeeds, held, { ...AT_REST, failure: { errorClass, code: code ?? null, message }, attempts: 0 });
  return nextReading(ctx, connectorInstanceId);
}

/** Deletes uses that are older than events are kept. */
async function dropOld(env: Environment, tenantId: string): Promise<number> {
  const days = optionsOf(env).activityRetentionDays;
  if (days === undefined) return 0;
  const before = windowStart(env.clock.now(), days);
  const uses = await forEachDue(env, accessUses, { by: "at", before }, tenantId, (ctx, use) =>
    ctx.remove(accessUses, use, { event: false }),
  );
  const sums = await forEachDue(
    env,
    usageDays,
    { by: "day", before: windowStart(env.clock.now(), days + 1) },
    tenantId,
    (ctx, day) => ctx.remove(usageDays, day, { event: false }),
  );
  return uses + sums;
}
