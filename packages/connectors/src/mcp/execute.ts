import { MCP_FAILURES, type McpConnector, type McpToolResult } from "@reeve/core";
import { ConnectorError, type ToolCall, type ToolResult } from "@reeve/core/connectors";
import { refused } from "../tool-results.js";
import { mayCall } from "./access.js";
import { contextEgress } from "./context-egress.js";
import type { Server } from "./manifest.js";
import { CLASSES, FAREWELL, targetOf } from "./observe.js";
import { isAsOpened, type OpenedTool, profileOf } from "./opened.js";

/** Runs a tool for somebody whose access to it this connection keeps, as long as the server has not changed it. */
export async function executeTool(
  mcp: McpConnector,
  tools: readonly OpenedTool[],
  ctx: Server,
  { tool: name, args, grants }: ToolCall,
): Promise<ToolResult> {
  const opened = tools.find((one) => one.name === name);
  if (!opened || !mcp.callTool) return refused("unknown_tool", "There is no such tool.");
  const own = grants.find(
    ({ resource, profileExternalId }) => resource.externalId === name && profileExternalId === profileOf(opened),
  );
  if (!own || !(await mayCall(ctx, own))) return refused("not_granted", "The caller has no access to this tool.");
  const target = await targetOf(ctx);
  if (target.transport === "stdio") await ctx.permit();
  const egress = contextEgress(ctx);
  let sent = false;
  const admits = (now: Parameters<typeof isAsOpened>[1]) => {
    sent = isAsOpened(opened, now);
    return sent;
  };
  const timeoutMs = Math.max(1, ctx.timeLeft() - FAREWELL);
  const outcome = await mcp.callTool(target, { name, args, admits }, { egress, timeoutMs, signal: ctx.signal });
  const { url, command } = target;
  const heard = outcome.listsChanged ? { changed: { url, command } } : {};
  if (!outcome.ok) {
    const { code, reason } = outcome.failure;
    if (sent && reason === "error_answer")
      return { ...refused("tool_error", "The server refuses the call."), ...heard };
    if (sent && opened.effect !== "read")
      throw new ConnectorError("outcome_unknown", "The server has not said what came of it.", { code: reason });
    ctx.signal.throwIfAborted();
    if (egress.failure) throw egress.failure;
    throw new ConnectorError(CLASSES[code], MCP_FAILURES[code], { code: reason });
  }
  const result = outcome.value;
  return { ...reported(result), ...heard };
}

function reported(result: McpToolResult): ToolResult {
  if (!result.called)
    return result.why === "missing"
      ? refused("not_found", "The server has no such tool any more.")
      : refused("tool_changed", "The server describes the tool in another way than when it was opened.");
  const { isError, called: _called, ...output } = result;
  return isError ? refused("tool_error", textOf(result.content)) : { ok: true, output };
}

const textOf = (content: readonly Readonly<Record<string, unknown>>[]): string =>
  content
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n")
    .slice(0, 2_000) || "The tool has failed.";
