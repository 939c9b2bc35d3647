import type { Environment } from "../../../kernel/config/environment.js";
import { ReeveError } from "../../../kernel/http/errors.js";
import { scrubbed } from "../../../kernel/http/scrub.js";
import { systemContext } from "../../../kernel/operation/system-context.js";
import { timestamp } from "../../../ports/clock.js";
import { platformGates } from "../../platform/index.js";
import { recordScan } from "./manifest/record-scan.js";
import { type McpServerCheck, mcpServerChecks } from "./probe/checks.js";
import { recordProbe } from "./probe/record-probe.js";
import { runProbe } from "./probe/run-probe.js";
import { mcpServers } from "./schema.js";

/** Servers of a tenant that are probed in parallel. */
const CONCURRENCY = 8;
/** Servers of a tenant that one `tick` probes, at most; after so many failures it leaves the rest to the next one. */
const MOST = 256;
const MOST_FAILURES = 16;
/** How long a probe keeps others from the server, in ms: longer than any may take. */
const LEASE = 60_000;

/** Probes or scans the MCP servers of a tenant that are due, each by one process only. Returns how many. */
export async function runMcpServerJobs(env: Environment, tenantId: string): Promise<number> {
  if (!env.mcp || (await isSwitchedOff(env, tenantId))) return 0;
  let [done, failed] = [0, 0];
  while (done < MOST && failed < MOST_FAILURES) {
    const leased = await lease(env, tenantId);
    if (leased.length === 0) break;
    // Called in parallel, stored in turn: transactions of one tenant wait for each other anyway.
    for (const record of await Promise.all(leased.map((check) => probeDue(env, tenantId, check)))) {
      if (!(await record())) failed += 1;
    }
    done += leased.length;
  }
  return done;
}

/** Whether a switch of the provider stops probes of MCP servers; it stops those that are asked for by itself. */
async function isSwitchedOff(env: Environment, tenantId: string): Promise<boolean> {
  const keys = ["ai.all", "ai.mcp", `ai.tenant.${tenantId}`];
  return (await env.use(platformGates).engagedSwitch(keys)) !== undefined;
}

/** Takes some due servers upon this process. Asks without a transaction first, so that a tenant with none costs one read. */
async function lease(env: Environment, tenantId: string): Promise<McpServerCheck[]> {
  const ctx = systemContext(env, tenantId, "tick");
  const { nowMs } = ctx.request;
  const due = {
    order: { by: "dueAt", direction: "asc" },
    range: { through: ctx.now },
    size: CONCURRENCY,
  } as const;
  if ((await ctx.db.find(mcpServerChecks, { ...due, size: 1 })).rows.length === 0) return [];
  return ctx.write(async (inner) => {
    const leased: McpServerCheck[] = [];
    const leasedUntil = timestamp(nowMs + LEASE);
    for (const { value } of (await inner.db.find(mcpServerChecks, due)).rows)
      leased.push(await inner.update(mcpServerChecks, value, { leasedUntil }));
    return leased;
  });
}

/** Calls one server; what it gives stores the result and says whether there was an answer. What fails is tried again when the lease ends. */
async function probeDue(env: Environment, tenantId: string, check: McpServerCheck): Promise<() => Promise<boolean>> {
  const { serverId, scanAt } = check;
  const ctx = systemContext(env, tenantId, "tick");
  const failing = (error: unknown) => {
    if (ReeveError.is(error) && error.code === "concurrent_modification") return true;
    env.logger.warn({ tenantId, serverId, error: scrubbed(String(error)) }, "an MCP server could not be probed");
    return false;
  };
  try {
    const isScan = scanAt !== null && scanAt <= ctx.now;
    const seen = await runProbe(ctx, await ctx.getOrThrow(mcpServers, serverId), isScan ? "scan" : "probe");
    const record = isScan ? recordScan : recordProbe;
    return () => ctx.write((inner) => record(inner, seen, false)).then(({ failure }) => failure === undefined, failing);
  } catch (error) {
    return async () => failing(error);
  }
}
