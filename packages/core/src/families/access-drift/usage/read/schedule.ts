import { NO_TRAIL } from "#connectors/index.js";
import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { usageFeeds } from "../schema.js";

/** What nobody has read. */
export const UNREAD = { coveredFrom: null, coveredThrough: null, gaps: [] };
/** Between two readings. */
export const AT_REST = { since: null, until: null, cursor: null, trail: NO_TRAIL, fault: null } as const;

type Read = Pick<ConnectorInstance, "status" | "providerKey" | "schedule">;

/** Milliseconds between two readings of the use of a connection; `undefined` while it is not read. */
export function usageInterval(env: Environment, { status, providerKey, schedule }: Read): number | undefined {
  const isListed = status === "active" && env.connectors.get(providerKey)?.listUsage !== undefined;
  return isListed && schedule.usage !== null ? millisecondsOf(schedule.usage) : undefined;
}

/** When the use of a connection that was read now is read again; `null` for never. */
export async function nextReading(ctx: Context, connectorInstanceId: string): Promise<string | null> {
  const instance = (await ctx.db.get(instances, connectorInstanceId))?.value;
  const interval = instance && usageInterval(ctx.env, instance);
  return interval === undefined ? null : timestamp(ctx.request.nowMs + interval);
}

/** Reads the use of active connections, and of others not. What was read of another account counts for nothing. */
export const followUsage = defineFollower(instances, async (ctx, { before, after }) => {
  const isOther = before?.target != null && after?.target != null && before.target.id !== after.target.id;
  const [was, now] = [before, after].map((one) => one && usageInterval(ctx.env, one));
  if (after && was === now && !isOther) return;
  const id = (after ?? before)?.id as string;
  const feed = (await ctx.db.lookup(usageFeeds, "instance", { connectorInstanceId: id }))?.value;
  if (!after) {
    if (feed) await ctx.remove(usageFeeds, feed);
    return;
  }
  const dueAt = now === undefined ? null : ctx.now;
  if (feed) await ctx.update(usageFeeds, feed, { ...(isOther ? { ...UNREAD, ...AT_REST } : {}), dueAt });
  else if (dueAt !== null)
    await ctx.insert(usageFeeds, {
      connectorInstanceId: id,
      ...UNREAD,
      ...AT_REST,
      failure: null,
      attempts: 0,
      dueAt,
    });
});
