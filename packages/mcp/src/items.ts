import { MCP_LIMITS, type McpPrompt, type McpResource, type McpResourceTemplate, type McpTool } from "@reeve/core";
import { CallFailed } from "./failure.js";

type Json = Record<string, unknown>;

/** Reads entries of a server's lists. It checks types and limits, and leaves out optional members of another type. */
export function readTool(value: unknown): McpTool {
  const { entry: tool, ...odd } = wellFormed(value, "invalid_tool");
  const { inputSchema } = tool;
  return {
    ...odd,
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
  const { entry: prompt, ...odd } = wellFormed(value, "invalid_prompt");
  const { arguments: given } = prompt;
  if (given !== undefined && !(Array.isArray(given) && given.every(isObject)))
    throw new CallFailed("protocol_error", "invalid_prompt");
  return {
    ...odd,
    name: requiredName(prompt.name, "invalid_prompt"),
    ...optionalText(prompt, "title", MCP_LIMITS.name, "invalid_prompt"),
    ...optionalText(prompt, "description", MCP_LIMITS.description, "invalid_prompt"),
    ...(given === undefined ? {} : { arguments: bounded(given, "arguments") as Json[] }),
    ...shared(prompt, "invalid_prompt"),
  };
}

export function readTemplate(value: unknown): McpResourceTemplate {
  const { entry: template, ...odd } = wellFormed(value, "invalid_resource_template");
  return {
    ...odd,
    uriTemplate: requiredName(template.uriTemplate, "invalid_resource_template", MCP_LIMITS.uri),
    name: requiredName(template.name, "invalid_resource_template"),
    ...optionalText(template, "title", MCP_LIMITS.name, "invalid_resource_template"),
    ...optionalText(template, "description", MCP_LIMITS.description, "invalid_resource_template"),
    ...optionalText(template, "mimeType", MCP_LIMITS.name, "invalid_resource_template"),
    ...shared(template, "invalid_resource_template"),
  };
}

export function readResource(value: unknown): McpResource {
  const { entry: resource } = wellFormed(value, "invalid_resource");
  return {
    uri: requiredName(resource.uri, "invalid_resource", MCP_LIMITS.uri),
    name: requiredName(resource.name, "invalid_resource"),
    ...optionalText(resource, "title", MCP_LIMITS.name, "invalid_resource"),
    ...optionalText(resource, "mimeType", MCP_LIMITS.name, "invalid_resource"),
  };
}

const isText = (value: unknown) => typeof value === "string";
/** The types of optional members. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  mimeType: isText,
  outputSchema: isObject,
  annotations: isObject,
  execution: isObject,
  icons: (value) => Array.isArray(value) && value.every(isObject),
  _meta: isObject,
};

/**
 * An entry without the optional members of another type than the protocol's, and their names. Clients cannot read them
 * either, so they sink neither the entry nor the list. A text that cannot be kept still refuses it, because a reviewer
 * would not see what a model reads.
 */
function wellFormed(value: unknown, reason: string): { readonly entry: Json; readonly leftOut?: readonly string[] } {
  const entry = objectIn(value, reason);
  const isOdd = (name: string) => entry[name] !== undefined && entry[name] !== null && !TYPES[name]?.(entry[name]);
  const leftOut = Object.keys(TYPES).filter(isOdd);
  if (leftOut.length === 0) return { entry };
  const kept = Object.entries(entry).filter(([name]) => !leftOut.includes(name));
  return { entry: Object.fromEntries(kept), leftOut };
}

/** What every entry may have: icons, and what is meant for clients of one kind. */
function shared(entry: Json, reason: string): { icons?: Json[]; _meta?: Json } {
  const { icons } = entry;
  return {
    ...(Array.isArray(icons) ? { icons: bounded(icons, "icons") as Json[] } : {}),
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
