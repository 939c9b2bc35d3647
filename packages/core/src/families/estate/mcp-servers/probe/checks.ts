import type { McpEndpoint } from "#connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { LEAST_SCAN_INTERVAL_SEC } from "../fields.js";
import { endpointAddress, type McpServer, mcpServers } from "../schema.js";
import { pauseAfter } from "./health.js";

/** The most servers of one endpoint that a notice has scanned. */
const MOST_AT_ENDPOINT = 100;

const McpServerCheck = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverId: z.string(),
  /** When the next scheduled probe is due. `null` for none. */
  probeAt: Time.nullable(),
  /** When the next scheduled scan is due. `null` for none. */
  scanAt: Time.nullable(),
  /** Until when a process has leased it. */
  leasedUntil: Time.nullable(),
});
export type McpServerCheck = z.output<typeof McpServerCheck>;

/**
 * The probe schedule of each server, with the lease of the process that probes it. It is separate from the records,
 * which the API serves.
 */
export const mcpServerChecks = defineCollection<McpServerCheck>({
  name: "mcp_server_checks",
  prefix: "mck",
  schema: McpServerCheck,
  fields: {
    serverId: { type: "text", compare: "exact" },
    /** When `tick` must next handle it. */
    dueAt: { type: "time", of: ({ probeAt, scanAt, leasedUntil }) => leasedUntil ?? earlier(probeAt, scanAt) },
  },
  unique: { server: ["serverId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Whether a server is probed on schedule. Not if it is disabled, out of use, or has no address and no command. */
function isAsked({ healthCheck, status, blockedBy, url, command }: McpServer): boolean {
  return healthCheck.enabled && status !== "retired" && blockedBy === null && (url !== null || command !== null);
}

/** A pseudo-random number from 0 to 1, which depends on server and moment only. */
function chanceOf(id: string, nowMs: number): number {
  let hash = 2_166_136_261;
  for (const letter of `${id}${nowMs}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash / 2 ** 32;
}

/** Schedules the next probe from the last result, and ends the lease. */
export async function planChecks(ctx: Context, server: McpServer, scanned: boolean): Promise<void> {
  const held = (await ctx.db.lookup(mcpServerChecks, "server", { serverId: server.id }))?.value;
  const { nowMs } = ctx.request;
  const { healthCheck, scanIntervalSec, consecutiveFailures } = server;
  const chance = chanceOf(server.id, nowMs);
  const after = (intervalSec: number) => timestamp(nowMs + pauseAfter(intervalSec, consecutiveFailures, chance));
  const asked = isAsked(server);
  // Without an interval, a notice of the server may have asked for a scan.
  const waiting = scanned ? null : (held?.scanAt ?? null);
  const scanAt = !asked
    ? null
    : scanIntervalSec === null
      ? waiting
      : scanned
        ? after(scanIntervalSec)
        : (held?.scanAt ?? ctx.now);
  const next = { probeAt: asked ? after(healthCheck.intervalSec) : null, scanAt, leasedUntil: null };
  await put(ctx, server.id, held, next);
}

/** Schedules a probe by the next `tick`, for a server that is new or has another address or credential. */
export async function scheduleCheck(ctx: Context, server: McpServer): Promise<void> {
  const held = (await ctx.db.lookup(mcpServerChecks, "server", { serverId: server.id }))?.value;
  const asked = isAsked(server);
  const scanAt = asked && server.scanIntervalSec !== null ? ctx.now : null;
  await put(ctx, server.id, held, { probeAt: asked ? ctx.now : null, scanAt, leasedUntil: null });
}

/**
 * Has the servers of an endpoint scanned by the next `tick`, because the server says that it offers other things now.
 * However often it says so, that is no more often than scans by the clock may be.
 */
export async function scheduleNoticed(ctx: Context, endpoint: McpEndpoint): Promise<void> {
  const address = endpointAddress(endpoint);
  if (address === null) return;
  const { rows } = await ctx.db.find(mcpServers, { where: { address }, size: MOST_AT_ENDPOINT });
  const servers = rows.map(({ value }) => value).filter(isAsked);
  if (servers.length === 0) return;
  const keys = servers.map(({ id: serverId }) => ({ serverId }));
  const checks = await ctx.db.lookupMany(mcpServerChecks, "server", keys);
  for (const [at, { consecutiveFailures, lastProbeAt, manifest }] of servers.entries()) {
    const held = checks[at]?.value;
    if (!held) continue;
    const last = consecutiveFailures > 0 ? lastProbeAt : manifest.fetchedAt;
    const rested = last === null ? 0 : Date.parse(last) + LEAST_SCAN_INTERVAL_SEC * 1_000;
    const scanAt = earlier(held.scanAt, timestamp(Math.max(ctx.request.nowMs, rested)));
    if (scanAt !== held.scanAt) await ctx.update(mcpServerChecks, held, { scanAt });
  }
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

/** Deletes the schedule of a deleted server. */
export async function dropChecks(ctx: Context, serverId: string): Promise<void> {
  const held = await ctx.db.lookup(mcpServerChecks, "server", { serverId });
  if (held) await ctx.remove(mcpServerChecks, held.value);
}
