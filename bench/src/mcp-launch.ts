import { fork } from "node:child_process";
import { once } from "node:events";
import { startMcpServer } from "@reeve/testkit/mcp";
import type { Running } from "./launch.js";

export type LaunchMcp = () => Promise<Running>;

/** Tools of the measured server: as many as a scan reads. */
export const TOOLS = 512;

/** An MCP server in this process: for checking, not for measuring. */
export const launchMcpHere: LaunchMcp = async () => {
  const { url, stop } = await startMcpServer({
    instructions: "Use the tools.",
    tools: Array.from({ length: TOOLS }, tool),
  });
  return { url, close: stop };
};

/** An MCP server in a separate process, which runs this program. */
export const launchMcpApart: LaunchMcp = async () => {
  const child = fork(process.argv[1] as string, ["serve-mcp"]);
  const exited = once(child, "exit");
  const [url] = await once(child, "message");
  return {
    url: String(url),
    pid: child.pid as number,
    async close() {
      child.disconnect();
      await exited;
    },
  };
};

/** The child process: serves until the parent disconnects. */
export async function serveMcpForParent(): Promise<void> {
  const { url, close } = await launchMcpHere();
  process.once("disconnect", () => close().finally(() => process.exit()));
  process.send?.(url);
}

/** A tool of typical size, about a kilobyte. */
function tool(_: unknown, index: number) {
  const text = (name: string) => ({
    type: "string",
    description: `The ${name} that the tool number ${index} works on.`,
  });
  return {
    name: `tool_${index}`,
    title: `Tool ${index}`,
    description: `Does what the tool with the number ${index} does, and nothing else. `.repeat(6),
    inputSchema: {
      type: "object",
      properties: { path: text("path"), query: text("query"), format: { enum: ["text", "json"] } },
      required: ["path"],
    },
    annotations: { readOnlyHint: index % 2 === 0 },
  };
}
