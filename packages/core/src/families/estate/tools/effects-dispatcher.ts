import { cutText } from "#kernel/records/cut-text.js";
import type { ToolContent } from "./pin-tool.js";

type Json = Readonly<Record<string, unknown>>;

/** Names of tools and words of descriptions that are about other tools. All match in linear time. */
const ABOUT_TOOLS: readonly RegExp[] = [
  /(?:^|_)(?:discover|enable|disable|search|find|execute|run|call|invoke|use|load|activate|list_all)_(?:[a-z\d]+_){0,2}tools?(?:$|_)/,
  /(?:^|_)tools?_(?:discover|enable|search|find|execute|run|call|invoke|use|load|activate)(?:$|_)/,
];
const SAYS_TOOLS =
  /\b(?:discovers?|enables?|search(?:es)?|finds?|executes?|runs?|calls?|invokes?|loads?|activates?) (?:[\w-]{1,30} ){0,3}tools?\b/i;

/** Arguments that name another tool, and that hold what it is given. */
const NAMES_ANOTHER =
  /^(?:tool|tool_?name|tool_?id|command|action|operation|method|function|function_?name|capability)$/i;
const HOLDS_ARGUMENTS = /^(?:args|arguments|tool_?args|tool_?arguments|parameters|params|tool_?input|input|payload)$/i;

/**
 * By what a tool finds, enables or runs other tools; `undefined` when it seems to do none of it. A hint: servers may
 * write whatever they like.
 */
export function dispatchedBy(
  content: Pick<ToolContent, "toolName" | "toolDescription" | "inputSchema">,
): string | undefined {
  const name = snake(content.toolName ?? "");
  if (ABOUT_TOOLS.some((pattern) => pattern.test(name))) return cutText(name, 100);
  const properties = content.inputSchema?.properties;
  const given: Json = typeof properties === "object" && properties !== null ? (properties as Json) : {};
  if (Object.hasOwn(given, "learn")) return "learn";
  const naming = Object.keys(given).find((one) => NAMES_ANOTHER.test(one));
  const held = Object.keys(given).find((one) => HOLDS_ARGUMENTS.test(one) && isFree(given[one]));
  if (naming !== undefined && held !== undefined) return cutText(`${naming}, ${held}`, 100);
  const said = SAYS_TOOLS.exec(cutText(content.toolDescription ?? "", 2_000))?.[0];
  return said === undefined ? undefined : cutText(said, 100);
}

const snake = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toLowerCase();

/** Whether an argument takes whatever it is given: an object that names no properties of its own. */
function isFree(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties } = schema as Json;
  const types = Array.isArray(type) ? type : [type];
  const named = typeof properties === "object" && properties !== null ? Object.keys(properties).length : 0;
  return (type === undefined || types.includes("object")) && named === 0;
}
