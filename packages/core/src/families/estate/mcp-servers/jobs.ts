import { platformGates, switchOfTenant } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { dueBy } from "#kernel/operation/dues.js";
import { leaseDue } from "#kernel/operation/lease-due.js";
import { processContext, processFacts, systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { recordScan } from "./manifest/record-scan.js";
import { type McpServerCheck, mcpServerChecks } from "./probe/checks.js";
import { recordProbe } from "./probe/record-probe.js";
import { runProbe } from "./probe/run-probe.js";
import { mcpServers } from "./schema.js";

/** The most servers of a tenant probed in parallel. */
const CONCURRENCY = 8;
/** The most servers of a tenant that one `tick` probes. After this many failures it leaves the rest to the next one. */
const MOST = 256;
const MOST_FAILURES = 16;
/** How long a process reserves a server for a probe, in milliseconds. It is longer than any probe may take. */
const LEASE = minutesMs(1);

/** When a server is to be probed or scanned. */
export const mcpServerDue = dueBy(mcpServerChecks, "dueAt", { after: ({ mcp }) => (mcp ? 0 : undefined) });

/** Probes or scans the MCP servers of a tenant that are due. One process does each. Returns how many. */
export async function runMcpServerJobs(env: Environment, tenantId: string): Promise<number> {
  if (!env.mcp || (await isSwitchedOff(env, tenantId))) return 0;
  let [done, failed] = [0, 0];
  while (done < MOST && failed < MOST_FAILURES) {
    const leased = await lease(env, tenantId);
    if (leased.length === 0) break;
    // Calls run in parallel. Results are stored one after another, because transactions of one tenant are serialised.
    for (const record of await Promise.all(leased.map((check) => probeDue(env, tenantId, check)))) {
      if (!(await record())) failed += 1;
    }
    done += leased.length;
  }
  return done;
}

/** Whether a kill switch stops timed probes of MCP servers. Requested probes check it themselves. */
async function isSwitchedOff(env: Environment, tenantId: string): Promise<boolean> {
  const keys = ["ai.all", "ai.mcp", "connectors.outbound", switchOfTenant(tenantId)];
  return (await env.use(platformGates).engagedSwitch(keys)) !== undefined;
}

/** Leases some due servers to this process. */
function lease(env: Environment, tenantId: string): Promise<McpServerCheck[]> {
  return leaseDue(systemContext(env, tenantId, "tick"), mcpServerChecks, "dueAt", CONCURRENCY, (ctx, check) =>
    ctx.update(mcpServerChecks, check, { leasedUntil: timestamp(ctx.request.nowMs + LEASE) }),
  );
}

/**
 * Probes one server. The returned function stores the result and tells whether the server answered. A failed one is
 * retried when its lease ends.
 */
async function probeDue(env: Environment, tenantId: string, check: McpServerCheck): Promise<() => Promise<boolean>> {
  const { serverId, scanAt } = check;
  const tenant = await env.use(platformGates).tenant(tenantId);
  const ctx = processContext(env, systemPrincipal(tenantId), processFacts(env, "tick", { tenant }));
  const failing = (error: unknown) => {
    if (ReeveError.is(error) && error.code === "concurrent_modification") return true;
    env.logger.warn({ tenantId, serverId, error: String(error) }, "an MCP server could not be probed");
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
