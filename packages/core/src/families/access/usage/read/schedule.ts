import { NO_TRAIL } from "../../../../connectors/index.js";
import type { Environment } from "../../../../kernel/config/environment.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import { type ConnectorInstance, instances } from "../../../connectors/index.js";
import { usageFeeds } from "../schema.js";

/** How often the use of a target is read, in milliseconds. */
export const INTERVAL = 900_000;

/** What nobody has read. */
export const UNREAD = { coveredFrom: null, coveredThrough: null, gaps: [] };
/** Between two readings. */
export const AT_REST = { since: null, until: null, cursor: null, trail: NO_TRAIL, fault: null } as const;

/** Whether the use of a connection is read: it is called, and its connector lists use. */
export const isRead = (env: Environment, { status, providerKey }: Pick<ConnectorInstance, "status" | "providerKey">) =>
  status === "active" && env.connectors.get(providerKey)?.listUsage !== undefined;

/** Reads the use of active connections, and of others not. What was read of another account counts for nothing. */
export const followUsage = defineFollower(instances, async (ctx, { before, after }) => {
  const isOther = before?.target != null && after?.target != null && before.target.id !== after.target.id;
  if (before?.status === after?.status && !isOther) return;
  const id = (after ?? before)?.id as string;
  const feed = (await ctx.db.lookup(usageFeeds, "instance", { connectorInstanceId: id }))?.value;
  if (!after) {
    if (feed) await ctx.remove(usageFeeds, feed);
    return;
  }
  const dueAt = isRead(ctx.env, after) ? ctx.now : null;
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
