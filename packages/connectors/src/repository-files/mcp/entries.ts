import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { parse } from "smol-toml";
import { UnusableFile } from "../file.js";
import { FILE_LIMITS } from "../limits.js";
import { lineAt, lineOfKey } from "../lines.js";
import type { McpFormat } from "./formats.js";

/** A server as a configuration names it, not yet checked. */
export interface McpEntry {
  readonly name: string;
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
}

/** One more than is used, so that the rest is noticed. */
const MOST = FILE_LIMITS.finds + 1;

/** The servers of a configuration. Throws `UnusableFile` where it cannot be read. */
export function entriesOf(text: string, { syntax, at }: McpFormat): readonly McpEntry[] {
  return syntax === "json" ? entriesOfJson(text, at) : entriesOfToml(text, at);
}

/** JSON as editors write it, with comments and trailing commas. */
export function jsonTree(text: string): Node {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true });
    if (root && errors.length === 0) return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnusableFile("It is nested too deeply.");
  }
  throw new UnusableFile("It is no JSON.");
}

/** Properties of an object, in order. Of several with one name, each is given. */
export function propertiesOf(node: Node | undefined): readonly { name: string; value: Node; offset: number }[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [], offset }) =>
    name && value ? [{ name: String(name.value), value, offset }] : [],
  );
}

function entriesOfJson(text: string, at: readonly string[]): readonly McpEntry[] {
  const servers = propertiesOf(findNodeAtLocation(jsonTree(text), [...at])).slice(0, MOST);
  return servers.map(({ name, value, offset }) => ({ name, value: getNodeValue(value), line: lineAt(text, offset) }));
}

function entriesOfToml(text: string, at: readonly string[]): readonly McpEntry[] {
  let found: unknown = tomlOf(text);
  for (const name of at) found = isTable(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  if (!isTable(found)) return [];
  return Object.entries(found)
    .slice(0, MOST)
    .map(([name, value]) => ({ name, value, line: lineOfKey(text, name) }));
}

export function tomlOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    throw new UnusableFile("It is no TOML.");
  }
}

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
