import type { McpConnector, McpOAuth } from "@reeve/core";
import type { McpCommand } from "./process-transport.js";

/** What the host decides about looks at MCP servers. Requests decide nothing of it. */
export interface McpConnectorSettings {
  /** Commands that servers over stdio may name. None when absent: stdio is off. */
  readonly commands?: Readonly<Record<string, McpCommand>>;
  /** Fetches the headers for servers whose tokens an authorization server issues. Without it they answer `auth_required`. */
  readonly oauth?: (wanted: McpOAuth) => Promise<Readonly<Record<string, string>>>;
}

/** Looks at MCP servers with the official client of the protocol, which is loaded when the first look is asked for. */
export function mcpConnector(settings: McpConnectorSettings = {}): McpConnector {
  return {
    probe: async (target, options) => (await import("./visit.js")).probe(settings, target, options),
    observe: async (target, options) => (await import("./visit.js")).observe(settings, target, options),
  };
}
