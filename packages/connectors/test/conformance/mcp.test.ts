import { mcpConnector } from "@reeve/mcp";
import { type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { startMcpServer } from "@reeve/testkit/mcp";
import { mcpServer } from "../../src/mcp/index.js";

const NAMES = ["echo", "read", "write", "search", "delete"];
const offer = (title: string) => ({
  name: "files",
  tools: NAMES.map((name) => ({ name, title, description: `Does ${name}.`, inputSchema: { type: "object" } })),
});

async function server(): Promise<ConformanceTarget> {
  const target = await startMcpServer(offer("Tool"));
  return {
    address: { host: "127.0.0.1", port: target.port },
    config: ({ host, port }) => ({ url: `http://${host}:${port}/mcp` }),
    reset: async () => target.offer(offer("Tool")),
    observe: async () => ({ assets: ["server", ...NAMES], resources: { tool: NAMES } }),
    rename: async () => target.offer(offer("Renamed")),
    close: () => target.stop(),
  };
}

connectorConformance(mcpServer(mcpConnector()), server, {
  skips: [
    {
      case: "wrong credentials are refused as auth by every method that calls the target",
      reason: "the server of the official library asks for no credentials; another test refuses them",
    },
  ],
});
