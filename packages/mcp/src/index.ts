export { type McpConnectorSettings, mcpConnector } from "./connector.js";
export type { McpCommand } from "./process-transport.js";
