import type { McpClient } from "#ports/mcp.js";
import type { McpServer } from "../schema.js";

/** The kind of credential that a server sees. What it lists may depend on it. */
export function observerOf({ auth: { type, headerName, clientId } }: Pick<McpServer, "auth">): string {
  return [type, headerName?.toLowerCase() ?? clientId].filter((part) => part !== null && part !== undefined).join(":");
}

/** As whom a server is asked, with capabilities in one order. */
export function clientOf({ client }: Pick<McpServer, "client">): McpClient {
  return { name: client.name, capabilities: [...new Set(client.capabilities)].sort() };
}

/** The address and credentials of a server. A result applies only while they are the same. */
export function endpointKeyOf(server: McpServer): string {
  const { transport, url, command, package: source, auth, protocol } = server;
  const { mode, pinnedVersion } = protocol;
  return JSON.stringify([transport, url, command, source, auth, mode, pinnedVersion, clientOf(server)]);
}
