import type { McpConnector } from "@reeve/core";
import type { McpConnectorSettings } from "./settings.js";

/**
 * Calls MCP servers by the official client, and makes Reeve one by the official server. Each is loaded at its first use.
 */
export function mcpConnector(settings: McpConnectorSettings = {}): McpConnector {
  return {
    probe: async (target, options) => (await import("./visit.js")).probe(settings, target, options),
    observe: async (target, options) => (await import("./visit.js")).observe(settings, target, options),
    callTool: async (target, call, options) => (await import("./visit.js")).callTool(settings, target, call, options),
    answer: async (message, toolbox) => (await import("./answer.js")).answer(message, toolbox),
  };
}
