import { isDeepStrictEqual } from "node:util";
import { type McpTool, schemaInOrder } from "@reeve/core";
import type { JsonSchema, ToolSpec } from "@reeve/core/connectors";

/** A tool of an MCP server as somebody has looked at it, and what that person says that it does. */
export interface OpenedTool {
  readonly name: string;
  /** As the server writes it. */
  readonly description: string;
  /** As the server writes it. */
  readonly inputSchema: JsonSchema;
  readonly effect: ToolSpec["effect"];
  /** Whether a repetition does nothing more. */
  readonly idempotent?: boolean;
}

/** The profile that opens one tool. */
export const profileOf = ({ name }: Pick<OpenedTool, "name">): string => `call:${name}`;

export const specOf = (tool: OpenedTool): ToolSpec => ({
  name: tool.name,
  description: tool.description,
  inputSchema: tool.inputSchema,
  effect: tool.effect,
  idempotent: tool.idempotent ?? tool.effect === "read",
  requiresProfiles: [profileOf(tool)],
});

/** Whether a server describes a tool as it was when somebody looked. Order that means nothing is no difference. */
export const isAsOpened = ({ description, inputSchema }: OpenedTool, now: McpTool): boolean =>
  (now.description ?? "") === description &&
  isDeepStrictEqual(schemaInOrder(now.inputSchema), schemaInOrder({ ...inputSchema }));
