import { MCP_LIMITS, type McpPrompt, type McpResource, type McpResourceTemplate, type McpTool } from "@reeve/core";
import { CallFailed } from "./failure.js";

type Json = Record<string, unknown>;

/** Reads entries of a server's lists. It checks types and limits and changes nothing. */
export function readTool(value: unknown): McpTool {
  const tool = objectIn(value, "invalid_tool");
  const { inputSchema } = tool;
  return {
    name: requiredName(tool.name, "invalid_tool"),
    ...optionalText(tool, "title", MCP_LIMITS.name, "invalid_tool"),
    ...optionalText(tool, "description", MCP_LIMITS.description, "invalid_tool"),
    inputSchema: bounded(objectIn(inputSchema, "invalid_tool"), "schema"),
    ...optionalObject(tool, "outputSchema", "invalid_tool"),
    ...optionalObject(tool, "annotations", "invalid_tool"),
    ...optionalObject(tool, "execution", "invalid_tool"),
    ...shared(tool, "invalid_tool"),
  };
}

export function readPrompt(value: unknown): McpPrompt {
  const prompt = objectIn(value, "invalid_prompt");
  const { arguments: given } = prompt;
  if (given !== undefined && !(Array.isArray(given) && given.every(isObject)))
    throw new CallFailed("protocol_error", "invalid_prompt");
  return {
    name: requiredName(prompt.name, "invalid_prompt"),
    ...optionalText(prompt, "title", MCP_LIMITS.name, "invalid_prompt"),
    ...optionalText(prompt, "description", MCP_LIMITS.description, "invalid_prompt"),
    ...(given === undefined ? {} : { arguments: bounded(given, "arguments") as Json[] }),
    ...shared(prompt, "invalid_prompt"),
  };
}

export function readTemplate(value: unknown): McpResourceTemplate {
  const template = objectIn(value, "invalid_resource_template");
  return {
    uriTemplate: requiredName(template.uriTemplate, "invalid_resource_template", MCP_LIMITS.uri),
    name: requiredName(template.name, "invalid_resource_template"),
    ...optionalText(template, "title", MCP_LIMITS.name, "invalid_resource_template"),
    ...optionalText(template, "description", MCP_LIMITS.description, "invalid_resource_template"),
    ...optionalText(template, "mimeType", MCP_LIMITS.name, "invalid_resource_template"),
    ...shared(template, "invalid_resource_template"),
  };
}

export function readResource(value: unknown): McpResource {
  const resource = objectIn(value, "invalid_resource");
  return {
    uri: requiredName(resource.uri, "invalid_resource", MCP_LIMITS.uri),
    name: requiredName(resource.name, "invalid_resource"),
    ...optionalText(resource, "title", MCP_LIMITS.name, "invalid_resource"),
    ...optionalText(resource, "mimeType", MCP_LIMITS.name, "invalid_resource"),
  };
}

/** What every entry may have: icons, and what is meant for clients of one kind. */
function shared(entry: Json, reason: string): { icons?: Json[]; _meta?: Json } {
  const { icons } = entry;
  const isAbsent = icons === undefined || icons === null;
  if (!isAbsent && !(Array.isArray(icons) && icons.every(isObject))) throw new CallFailed("protocol_error", reason);
  return {
    ...(isAbsent ? {} : { icons: bounded(icons, "icons") as Json[] }),
    ...optionalObject(entry, "_meta", reason),
  };
}

/** A text of at most `most` bytes. `null` reads as absent, because many servers write it. */
export function textWithin(value: unknown, most: number, reason: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || !isKeepable(value)) throw new CallFailed("protocol_error", reason);
  if (Buffer.byteLength(value) > most) throw new CallFailed("too_large", "text");
  return value;
}

function requiredName(value: unknown, reason: string, most: number = MCP_LIMITS.name): string {
  const name = textWithin(value, most, reason);
  if (!name) throw new CallFailed("protocol_error", reason);
  return name;
}

function optionalText<K extends string>(from: Json, key: K, most: number, reason: string): Partial<Record<K, string>> {
  const text = textWithin(from[key], most, reason);
  return text === undefined ? {} : ({ [key]: text } as Partial<Record<K, string>>);
}

function optionalObject<K extends string>(from: Json, key: K, reason: string): Partial<Record<K, Json>> {
  const value = from[key];
  if (value === undefined || value === null) return {};
  return { [key]: bounded(objectIn(value, reason), key) } as Partial<Record<K, Json>>;
}

function objectIn(value: unknown, reason: string): Json {
  if (!isObject(value)) throw new CallFailed("protocol_error", reason);
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Refuses values that are too deep, too long or contain text that cannot be stored. Depth comes first, because the
 * other checks recurse.
 */
export function bounded<T extends object>(value: T, reason: string, most: number = MCP_LIMITS.schema): T {
  check(value, MCP_LIMITS.depth, reason);
  if (Buffer.byteLength(JSON.stringify(value)) > most) throw new CallFailed("too_large", reason);
  return value;
}

function check(value: unknown, levels: number, reason: string): void {
  if (typeof value === "string" && !isKeepable(value)) throw new CallFailed("protocol_error", "invalid_text");
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new CallFailed("too_large", `${reason}_depth`);
  for (const [name, inner] of Object.entries(value)) {
    check(name, levels - 1, reason);
    check(inner, levels - 1, reason);
  }
}

/** Whether every store can hold a text: no NUL, no lone surrogate. */
function isKeepable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
