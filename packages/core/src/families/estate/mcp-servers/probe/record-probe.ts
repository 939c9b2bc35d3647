import type { Context } from "#kernel/operation/context.js";
import type { McpFailure } from "#ports/mcp.js";
import { about, handshakeOf, recordHealth, reportDowngrade, serverOf } from "../manifest/record-health.js";
import type { McpServer } from "../schema.js";
import type { McpProbeRun } from "./run-probe.js";

/** The result of a probe. */
export interface Probed {
  readonly server: McpServer;
  readonly failure: McpFailure | undefined;
}

/**
 * Stores the result of a probe, within the transaction. A scheduled one has an event only when the connection changes.
 */
export async function recordProbe(ctx: Context, run: McpProbeRun, asked: boolean): Promise<Probed> {
  const server = await serverOf(ctx, run);
  if (run.found.kind !== "probe") throw new TypeError("a scan is no probe");
  const { outcome } = run.found;
  const failure = outcome.ok ? undefined : outcome.failure;
  const patch = outcome.ok ? handshakeOf(server, outcome.value) : {};
  const recorded = await recordHealth(ctx, server, run, failure, patch);
  if (outcome.ok) await reportDowngrade(ctx, server, outcome.value);
  if (asked) {
    const facts = failure ? { error: failure } : { connection: recorded.connection };
    await ctx.emit({ type: "mcp.probed", ...about(recorded, facts, failure !== undefined) });
  }
  return { server: recorded, failure };
}
