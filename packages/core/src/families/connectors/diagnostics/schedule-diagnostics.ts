import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";
import { connectorCheckups } from "./schema.js";

/** How often an active connection is tested, in milliseconds. */
const INTERVAL = 900_000;
/** Intervals without any word after which nobody knows how a connection works. */
const SILENT = 3;

/** Tests active connections on schedule, and others not. */
export const followStatus = defineFollower(instances, async (ctx, { before, after }) => {
  if (before?.status === after?.status) return;
  const id = (after ?? before)?.id as string;
  const held = (await ctx.db.lookup(connectorCheckups, "instance", { connectorInstanceId: id }))?.value;
  if (!after) {
    if (held) await ctx.remove(connectorCheckups, held);
    return;
  }
  const dueAt = after.status === "active" ? nextDue(ctx) : null;
  if (held) await ctx.update(connectorCheckups, held, { dueAt });
  else if (dueAt !== null) await ctx.insert(connectorCheckups, { connectorInstanceId: id, dueAt });
});

/** When a connection is tested again that was tested now. */
export function nextDue({ request }: Pick<Context, "request">): string {
  return timestamp(request.nowMs + INTERVAL);
}

/** Whether what was told of a connection last is too old to say how it works now. */
export function isSilent(
  { lastCheckAt, healthSince }: Pick<ConnectorInstance, "lastCheckAt" | "healthSince">,
  nowMs: number,
): boolean {
  const reported = Math.max(Date.parse(lastCheckAt ?? healthSince), Date.parse(healthSince));
  return nowMs - reported >= SILENT * INTERVAL;
}
