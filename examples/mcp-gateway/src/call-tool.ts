import { http, openGuard } from "@reeve/guard";
import { guardHandler } from "@reeve/guard/mcp";
import type { Calls, Outcome } from "./calls.js";
import type { Limits } from "./limits.js";
import type { Agent, Where } from "./reeve.js";
import { failed, isAsApproved, type Json, type ToolResult, type Upstream } from "./upstream.js";

/** What all calls share. */
export interface Shared {
  readonly where: Where;
  readonly limits: Limits;
  readonly upstream: Upstream;
  readonly calls: Calls;
}

export interface ToolCall {
  readonly tool: string;
  readonly args: Json;
  /** The same for repetitions of one call, if the client names it. */
  readonly key: unknown;
}

/** Has Reeve decide about a call, and makes it. A refusal is a failure of the tool. */
export async function callTool(agent: Agent, call: ToolCall, shared: Shared): Promise<ToolResult> {
  const { tool, args, key } = call;
  const decideAndMake = () => callOnce(agent, call, shared);
  if (key === undefined) return (await decideAndMake()).result;
  if (typeof key !== "string" || !/^[!-~]{1,255}$/.test(key))
    return failed("invalid_request", "The key of a call has 1 to 255 visible characters.");
  return shared.calls.once({ agent: agent.id, key, asked: JSON.stringify([tool, args]) }, decideAndMake);
}

async function callOnce(agent: Agent, { tool, args }: ToolCall, { where, limits, upstream }: Shared): Promise<Outcome> {
  let made = false;
  try {
    const approved = agent.approved.get(tool);
    const offered = (await upstream.tools()).find(({ name }) => name === tool);
    if (!offered || !isAsApproved(offered, approved))
      return { made, result: failed("tool_not_approved", "Nobody has approved this tool as it is now.") };
    const reeve = http({ baseUrl: where.url, credential: agent.token });
    const { questionMs: timeoutMs } = limits;
    const guard = await openGuard({ reeve, agent: agent.id, server: where.serverAssetId, timeoutMs });
    // From a decision on it is made, whether its client is still there or not.
    const guarded = guardHandler(guard, tool, (given: Json, _context: unknown) => {
      made = true;
      return upstream.call(tool, given);
    });
    return { result: (await guarded(args, undefined)) as ToolResult, made };
  } catch {
    const result = made
      ? failed("outcome_unknown", "It may have happened. Look at the server before it is done again.")
      : failed("unavailable", "The server cannot be reached at this moment.");
    return { made, result };
  }
}
