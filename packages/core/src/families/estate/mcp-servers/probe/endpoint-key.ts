import type { McpServer } from "../schema.js";

/** With which credential a server is seen: what it lists may depend on who asks. */
export function observerOf({ auth: { type, headerName, clientId } }: Pick<McpServer, "auth">): string {
  return [type, headerName?.toLowerCase() ?? clientId].filter((part) => part !== null && part !== undefined).join(":");
}

/** What a server is reached by. Found under other circumstances, a result says nothing of it. */
export function endpointKeyOf({ transport, url, command, package: source, auth, protocol }: McpServer): string {
  return JSON.stringify([transport, url, command, source, auth, protocol.mode, protocol.pinnedVersion]);
}
