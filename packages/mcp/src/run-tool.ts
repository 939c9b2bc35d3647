import type { Client } from "@modelcontextprotocol/client";
import type { McpToolCall, McpToolResult } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed } from "./failure.js";
import { readTool } from "./items.js";
import { distinct, listAll } from "./listing.js";

/** Calls a tool on a connected server, as long as the server describes it in a way that is admitted. */
export async function runTool(
  client: Client,
  call: McpCall,
  { name, args, admits }: McpToolCall,
): Promise<McpToolResult> {
  if (!client.getServerCapabilities()?.tools) return { called: false, why: "missing" };
  const { items } = await listAll(client, call, { method: "tools/list", member: "tools", read: readTool });
  const tool = distinct(items, (one) => one.name).find((one) => one.name === name);
  if (!tool) return { called: false, why: "missing" };
  if (!admits(tool)) return { called: false, why: "not_admitted" };
  const options = { signal: call.signal, timeout: call.left() };
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args }, options);
  if (!Array.isArray(content)) throw new CallFailed("protocol_error", "invalid_result");
  return {
    called: true,
    isError,
    content: content as readonly Record<string, unknown>[],
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as Record<string, unknown> }),
  };
}
