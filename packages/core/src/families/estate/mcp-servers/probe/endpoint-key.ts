import type { McpServer } from "../schema.js";

/** The kind of credential that a server sees. What it lists may depend on it. */
export function observerOf({ auth: { type, headerName, clientId } }: Pick<McpServer, "auth">): string {
  return [type, headerName?.toLowerCase() ?? clientId].filter((part) => part !== null && part !== undefined).join(":");
}

/** The address and credentials of a server. A result applies only while they are the same. */
export function endpointKeyOf({ transport, url, command, package: source, auth, protocol }: McpServer): string {
  return JSON.stringify([transport, url, command, source, auth, protocol.mode, protocol.pinnedVersion]);
}
