export { type McpOffer, type McpTestServer, offering, startMcpServer } from "./mcp-server.js";
