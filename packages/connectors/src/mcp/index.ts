import type { McpConnector } from "@reeve/core";
import { type Connector, defineConnector } from "@reeve/core/connectors";
import { configuration, manifest, secrets } from "./manifest.js";
import { discoverServer, listTools, testServer } from "./tools.js";

/**
 * An MCP server and its tools. `mcp` is what the control plane's option of the same name takes, such as
 * `mcpConnector()` of `@reeve/mcp`; it holds the commands of servers over stdio.
 */
export function mcpServer(mcp: McpConnector): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection: (ctx) => testServer(mcp, ctx),
    discoverAssets: (ctx, page) => discoverServer(mcp, ctx, page),
    listResources: (ctx, type, page) => listTools(mcp, ctx, type, page),
  });
}
