export { mcpConnector } from "./connector.js";
export type { McpCommand } from "./process-transport.js";
export type { McpConnectorSettings } from "./settings.js";
