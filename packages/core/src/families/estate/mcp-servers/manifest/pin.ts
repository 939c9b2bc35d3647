import { canonical } from "#kernel/events/canonical.js";
import type { McpPrompt, McpResourceTemplate, McpTool } from "#ports/mcp.js";
import { sha256 } from "#store/chain.js";
import { pinOf, type ToolContent } from "../../tools/pin-tool.js";

/** The algorithms of prompt pins and template pins. */
export const PROMPT_ALGORITHM = "mcp-prompt/1";
export const TEMPLATE_ALGORITHM = "mcp-resource-template/1";

/** The content of a tool, with the names of the record's fields. */
export function contentOf(tool: McpTool) {
  return {
    toolName: tool.name,
    title: tool.title ?? null,
    toolDescription: tool.description ?? null,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema ?? null,
    annotations: tool.annotations ?? null,
    execution: tool.execution ?? null,
    meta: tool._meta ?? null,
  } satisfies ToolContent;
}

/** The pin of a tool by `mcp-tool/1`. */
export function toolPin(tool: McpTool): string {
  return pinOf(contentOf(tool));
}

/** The pin of a prompt by `mcp-prompt/1`. Absent members stay absent. */
export function promptPin({ name, title, description, arguments: given, _meta }: McpPrompt): string {
  return digestOf({ name, title, description, arguments: given, _meta });
}

/** The pin of a resource template by `mcp-resource-template/1`. Absent members stay absent. */
export function templatePin(template: McpResourceTemplate): string {
  const { uriTemplate, name, title, description, mimeType, _meta } = template;
  return digestOf({ uriTemplate, name, title, description, mimeType, _meta });
}

/** SHA-256 of the canonical JSON, without undefined members. */
export function digestOf(value: Readonly<Record<string, unknown>>): string {
  return sha256(canonical(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))));
}
