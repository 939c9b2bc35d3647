import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { RunEndedError } from "@reeve/guard";
import { guardHandler, META } from "@reeve/guard/mcp";
import { type Driver, objectOf, SCHEMAS, TOOL_NAMES } from "../story/driver.js";

/** A host whose tools are those of an MCP server with a guard, by the official client. */
export const mcp: Driver = {
  name: "@modelcontextprotocol/server",
  async play(guard, calls, tools) {
    const server = new McpServer({ name: "Payments", version: "1.0.0" });
    for (const name of TOOL_NAMES) {
      server.registerTool(
        name,
        { description: name, inputSchema: SCHEMAS[name] },
        guardHandler(guard, name, async (args: object, { mcpReq }) => ({
          content: [{ type: "text" as const, text: await tools.run(name, args, mcpReq.signal) }],
        })),
      );
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "host", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const told: string[] = [];
    let modelCalls = 0;
    try {
      for (;;) {
        const call = calls[modelCalls];
        modelCalls += 1;
        await tools.asked();
        if (!call) return { told, modelCalls, ended: undefined };
        const { content, _meta } = await client.callTool({ name: call.tool, arguments: objectOf(call) });
        const { ended, status, reason } = (_meta?.[META] ?? {}) as Record<string, string>;
        if (ended) return { told, modelCalls, ended: new RunEndedError(String(status), String(reason)) };
        told.push(content.map((part) => (part.type === "text" ? part.text : "")).join(""));
      }
    } finally {
      await Promise.all([client.close(), server.close()]);
    }
  },
};
