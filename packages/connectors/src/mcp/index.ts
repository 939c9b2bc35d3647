import type { McpConnector } from "@reeve/core";
import { type Connector, defineConnector } from "@reeve/core/connectors";
import { grant, listProfiles, revoke, verify } from "./access.js";
import { executeTool } from "./execute.js";
import { configuration, manifest, manifestWith, secrets } from "./manifest.js";
import { type OpenedTool, specOf } from "./opened.js";
import { discoverServer, listTools, testServer } from "./tools.js";

export type { OpenedTool } from "./opened.js";

export interface McpServerSettings {
  /**
   * Tools that agents may be given access to, each as somebody has looked at it. A tool that the server describes in
   * another way is not run. None when absent: then the connector only looks.
   */
  readonly tools?: readonly OpenedTool[];
}

/**
 * An MCP server and its tools. `mcp` is what the control plane's option of the same name takes, such as
 * `mcpConnector()` of `@reeve/mcp`; it holds the commands of servers over stdio.
 */
export function mcpServer(mcp: McpConnector, { tools = [] }: McpServerSettings = {}): Connector {
  const looking = {
    configuration,
    secrets,
    testConnection: (ctx: Parameters<typeof testServer>[1]) => testServer(mcp, ctx),
    discoverAssets: (...[ctx, page]: Tail<typeof discoverServer>) => discoverServer(mcp, ctx, page),
    listResources: (...[ctx, type, page]: Tail<typeof listTools>) => listTools(mcp, ctx, type, page),
  };
  if (tools.length === 0) return defineConnector({ manifest, ...looking });
  return defineConnector({
    manifest: manifestWith(tools.map(specOf)),
    ...looking,
    listAccessProfiles: (_ctx, query, page) => listProfiles(tools, query, page),
    grant: (ctx, spec) => grant(tools, ctx, spec),
    revoke,
    verify,
    executeTool: (ctx, call) => executeTool(mcp, tools, ctx, call),
  });
}

type Tail<F extends (mcp: McpConnector, ...rest: never[]) => unknown> = F extends (
  mcp: McpConnector,
  ...rest: infer R
) => unknown
  ? R
  : never;
