import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const PACKAGE = "@modelcontextprotocol/server-everything";

/** A call of a tool, as the planner requests it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** The tools of an MCP server in a process of its own. */
export interface Tools {
  call(call: ToolCall, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Starts the published server and connects over stdio. Cancelling a call cancels it at the server too. */
export async function connectTools(): Promise<Tools> {
  const require = createRequire(import.meta.url);
  const manifestFile = require.resolve(`${PACKAGE}/package.json`);
  const { bin } = require(manifestFile) as { bin: Record<string, string> };
  const [program = ""] = Object.values(bin);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(dirname(manifestFile), program), "stdio"],
    stderr: "ignore",
  });
  const client = new Client({ name: "agent-loop", version: "1.0.0" });
  await client.connect(transport);
  return {
    async call(call, signal) {
      const { content, isError } = await client.callTool(call, { signal, timeout: 600_000 });
      const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
      if (isError) throw new Error(`${call.name}: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}
