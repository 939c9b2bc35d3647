import type { McpConnector } from "@reeve/core";
import type { McpConnectorSettings } from "./settings.js";

/** Looks at MCP servers with the official client of the protocol, which is loaded when the first look is asked for. */
export function mcpConnector(settings: McpConnectorSettings = {}): McpConnector {
  return {
    probe: async (target, options) => (await import("./visit.js")).probe(settings, target, options),
    observe: async (target, options) => (await import("./visit.js")).observe(settings, target, options),
  };
}
