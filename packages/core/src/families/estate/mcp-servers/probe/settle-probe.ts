import type { Context } from "../../../../kernel/context.js";
import type { McpFailure } from "../../../../ports/mcp.js";
import { about, greetingOf, serverOf, settleHealth, tellDowngrade } from "../manifest/settle.js";
import type { McpServer } from "../schema.js";
import type { Look } from "./look.js";

/** What a probe came to. */
export interface Probed {
  readonly server: McpServer;
  readonly failure: McpFailure | undefined;
}

/** Stores what a probe has found, in the open transaction. Those by the clock are told only where the connection changes. */
export async function settleProbe(ctx: Context, look: Look, asked: boolean): Promise<Probed> {
  const server = await serverOf(ctx, look);
  if (look.found.kind !== "probe") throw new TypeError("a scan is no probe");
  const { outcome } = look.found;
  const failure = outcome.ok ? undefined : outcome.failure;
  const patch = outcome.ok ? greetingOf(server, outcome.value) : {};
  const settled = await settleHealth(ctx, server, look, failure, patch);
  if (outcome.ok) await tellDowngrade(ctx, server, outcome.value);
  if (asked) {
    const facts = failure ? { error: failure } : { connection: settled.connection };
    await ctx.emit({ type: "mcp.probed", ...about(settled, facts, failure !== undefined) });
  }
  return { server: settled, failure };
}
