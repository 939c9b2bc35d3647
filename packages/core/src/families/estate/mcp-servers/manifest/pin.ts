import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import type { McpPrompt, McpResourceTemplate, McpTool } from "../../../../ports/mcp.js";
import { pinOf, type ToolContent } from "../../tools/pin/pin.js";

/** The algorithms of prompt pins and template pins. */
export const PROMPT_ALGORITHM = "mcp-prompt/1";
export const TEMPLATE_ALGORITHM = "mcp-resource-template/1";

/** The content of a tool, with the names of the record's fields. */
export function contentOf({ name, title, description, inputSchema, outputSchema, annotations }: McpTool) {
  return {
    toolName: name,
    title: title ?? null,
    toolDescription: description ?? null,
    inputSchema,
    outputSchema: outputSchema ?? null,
    annotations: annotations ?? null,
  } satisfies ToolContent;
}

/** The pin of a tool by `mcp-tool/1`. */
export function toolPin(tool: McpTool): string {
  return pinOf(contentOf(tool));
}

/** The pin of a prompt by `mcp-prompt/1`. Absent members stay absent. */
export function promptPin({ name, title, description, arguments: given }: McpPrompt): string {
  return digestOf({ name, title, description, arguments: given });
}

/** The pin of a resource template by `mcp-resource-template/1`. Absent members stay absent. */
export function templatePin({ uriTemplate, name, title, description, mimeType }: McpResourceTemplate): string {
  return digestOf({ uriTemplate, name, title, description, mimeType });
}

/** SHA-256 of the canonical JSON, without undefined members. */
export function digestOf(value: Readonly<Record<string, unknown>>): string {
  return sha256(canonical(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))));
}
