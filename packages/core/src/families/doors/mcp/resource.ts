import { defineResource } from "#families/resource.js";
import { answerMessage, readResourceMetadata, refuseStream } from "./operations.js";

/** Reeve's own MCP server: what reads, explains, proposes and requests, as tools. */
export const mcpResource = defineResource({ operations: [answerMessage, refuseStream, readResourceMetadata] });
