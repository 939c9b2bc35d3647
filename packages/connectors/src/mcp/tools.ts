import { type McpConnector, type McpSnapshot, type McpTool, schemaInOrder } from "@reeve/core";
import {
  type ConnectionTest,
  type DiscoveredAsset,
  type ObservedResource,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import { canonicalUrl } from "../fields.js";
import { pageAfter } from "../page-after.js";
import type { Server } from "./manifest.js";
import { observe } from "./observe.js";

/** Whether the server greets and lists its tools. Its name is a claim, so the address or command is the target. */
export async function testServer(mcp: McpConnector, ctx: Server): Promise<ConnectionTest> {
  const { tools, serverInfo, protocol } = await observe(mcp, ctx);
  return {
    checks: [
      {
        id: "tools",
        category: "capability",
        capability: "resources",
        status: tools.length > 0 ? "pass" : "warn",
        message: `The server speaks ${protocol.era} MCP and lists ${tools.length} tools.`,
      },
    ],
    target: { id: locationOf(ctx), name: serverInfo?.title ?? serverInfo?.name ?? locationOf(ctx) },
  };
}

/** The server, and behind it its tools. */
export async function discoverServer(
  mcp: McpConnector,
  ctx: Server,
  page: PageRequest,
): Promise<Page<DiscoveredAsset>> {
  const snapshot = await observe(mcp, ctx);
  const assets = [serverAsset(ctx, snapshot), ...snapshot.tools.map((tool) => toolAsset(ctx, tool))];
  return pageAfter(assets, ({ assetType, externalId }) => `${assetType}:${externalId}`, page);
}

/** The tools, each with what it says of itself: a change of any of it changes the resource. */
export async function listTools(
  mcp: McpConnector,
  ctx: Server,
  type: string,
  page: PageRequest,
): Promise<Page<ObservedResource>> {
  if (type !== "tool") return { items: [], ...WHOLE };
  const { tools } = await observe(mcp, ctx);
  const { items, ...rest } = pageAfter(tools, ({ name }) => name, page);
  return { items: items.map(resourceOf), ...rest };
}

function resourceOf({ name, title, icons: _icons, inputSchema, outputSchema, ...said }: McpTool): ObservedResource {
  const schemas = {
    inputSchema: schemaInOrder(inputSchema),
    ...(outputSchema ? { outputSchema: schemaInOrder(outputSchema) } : {}),
  };
  return { type: "tool", externalId: name, name: title || name, attributes: { ...said, ...schemas } };
}

/** An instance has one server, which stays the same at another address. */
const SERVER = "server";

function serverAsset(ctx: Server, { serverInfo, protocol }: McpSnapshot): DiscoveredAsset {
  const { transport, url, command } = ctx.config;
  const location = locationOf(ctx);
  return {
    externalId: SERVER,
    assetType: "mcp_server",
    name: serverInfo?.title || serverInfo?.name || location,
    metadata: { protocol: protocol.negotiated, ...(serverInfo ? { version: serverInfo.version } : {}) },
    record: { transport, ...(url === undefined ? {} : { url }), ...(command === undefined ? {} : { command }) },
    found: [{ location }],
  };
}

function toolAsset(ctx: Server, { name, title, description, icons: _icons, _meta, ...said }: McpTool): DiscoveredAsset {
  return {
    externalId: name,
    assetType: "tool",
    name: title || name,
    metadata: { server: locationOf(ctx) },
    record: {
      origin: "mcp",
      toolName: name,
      ...(title ? { title } : {}),
      ...(description === undefined ? {} : { toolDescription: description }),
      ...(_meta ? { meta: _meta } : {}),
      ...said,
    },
    found: [{ location: locationOf(ctx) }],
  };
}

const locationOf = ({ config: { url, command } }: Server) =>
  url === undefined ? `stdio:${command}` : canonicalUrl(url);
