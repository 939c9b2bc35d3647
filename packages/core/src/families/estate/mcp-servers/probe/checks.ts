import { z } from "zod";
import type { Context } from "../../../../kernel/operation/context.js";
import { defineCollection } from "../../../../kernel/records/collection.js";
import { Time } from "../../../../kernel/records/record.js";
import { timestamp } from "../../../../ports/clock.js";
import type { McpServer } from "../schema.js";
import { pauseAfter } from "./health.js";

const McpServerCheck = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverId: z.string(),
  /** When it is next asked by the clock; `null` when it is not. */
  probeAt: Time.nullable(),
  /** When its tools are next scanned by the clock; `null` when they are not. */
  scanAt: Time.nullable(),
  /** Until then somebody is at it. */
  leasedUntil: Time.nullable(),
});
export type McpServerCheck = z.output<typeof McpServerCheck>;

/** When each server is probed by the clock, and whether a process does so now. Apart from the records, which are served. */
export const mcpServerChecks = defineCollection<McpServerCheck>({
  name: "mcp_server_checks",
  prefix: "mck",
  schema: McpServerCheck,
  fields: {
    serverId: { type: "text" },
    /** When `tick` has something to do about it. */
    dueAt: { type: "time", of: ({ probeAt, scanAt, leasedUntil }) => leasedUntil ?? earlier(probeAt, scanAt) },
  },
  unique: { server: ["serverId"] },
  indexes: [{ where: [], by: "dueAt" }],
  secrets: [],
});

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Whether the clock asks a server at all: not one that is off, out of use, or has nothing to be asked at. */
function isAsked({ healthCheck, status, blockedBy, url, command }: McpServer): boolean {
  return healthCheck.enabled && status !== "retired" && blockedBy === null && (url !== null || command !== null);
}

/** A number from 0 to 1 that is the same for a server at a moment, so that nothing here is random. */
function chanceOf(id: string, nowMs: number): number {
  let hash = 2_166_136_261;
  for (const letter of `${id}${nowMs}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash / 2 ** 32;
}

/** Sets when a server is next probed, from what was just found; a probe ends its lease. */
export async function planChecks(ctx: Context, server: McpServer, scanned: boolean): Promise<void> {
  const held = (await ctx.db.lookup(mcpServerChecks, "server", { serverId: server.id }))?.value;
  const { nowMs } = ctx.request;
  const { healthCheck, scanIntervalSec, consecutiveFailures } = server;
  const chance = chanceOf(server.id, nowMs);
  const after = (intervalSec: number) => timestamp(nowMs + pauseAfter(intervalSec, consecutiveFailures, chance));
  const asked = isAsked(server);
  const scanAt =
    !asked || scanIntervalSec === null ? null : scanned ? after(scanIntervalSec) : (held?.scanAt ?? ctx.now);
  const next = { probeAt: asked ? after(healthCheck.intervalSec) : null, scanAt, leasedUntil: null };
  await put(ctx, server.id, held, next);
}

/** Has a server probed by the next `tick`, since it is new or is reached in another way. */
export async function scheduleCheck(ctx: Context, server: McpServer): Promise<void> {
  const held = (await ctx.db.lookup(mcpServerChecks, "server", { serverId: server.id }))?.value;
  const asked = isAsked(server);
  const scanAt = asked && server.scanIntervalSec !== null ? ctx.now : null;
  await put(ctx, server.id, held, { probeAt: asked ? ctx.now : null, scanAt, leasedUntil: null });
}

async function put(
  ctx: Context,
  serverId: string,
  held: McpServerCheck | undefined,
  next: Pick<McpServerCheck, "probeAt" | "scanAt" | "leasedUntil">,
): Promise<void> {
  if (held) await ctx.update(mcpServerChecks, held, next);
  else await ctx.insert(mcpServerChecks, { serverId, ...next });
}

/** Takes the plan away together with its server. */
export async function dropChecks(ctx: Context, serverId: string): Promise<void> {
  const held = await ctx.db.lookup(mcpServerChecks, "server", { serverId });
  if (held) await ctx.remove(mcpServerChecks, held.value);
}
