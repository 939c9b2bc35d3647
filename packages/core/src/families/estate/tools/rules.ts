import { invalidProperty } from "#kernel/http/errors.js";
import { isSame } from "#kernel/records/is-same.js";
import { CONTENT_NAMES, followPin, type ToolContent } from "./pin-tool.js";
import type { EFFECTS, Tool, ToolFields } from "./schema.js";
import { contradiction } from "./tool-effects.js";

type Effect = (typeof EFFECTS)[number];
type Content = ToolContent & Pick<Tool, "pin" | "effects" | "effectsFrom">;

/** The effects that annotations claim, in the terms of the Model Context Protocol. What is not denied is assumed. */
export function claimedEffects(annotations: ToolContent["annotations"]): Effect[] {
  if (annotations === null) return [];
  const external: Effect[] = annotations.openWorldHint === false ? [] : ["external"];
  if (annotations.readOnlyHint === true) return ["read", ...external];
  const destructive: Effect[] = annotations.destructiveHint === false ? [] : ["destructive"];
  return ["write", ...destructive, ...external];
}

const isGrave = (effect: Effect) => effect !== "read";

/** The fields derived from the content: its pin and, until a reviewer has set them, its effects. */
export function followContent(tool: Content): Pick<Tool, "pin" | "effects" | "effectsFrom"> {
  const pin = followPin(tool.pin, tool);
  if (tool.effectsFrom === "review") return { pin, effects: tool.effects, effectsFrom: "review" };
  const claimed = claimedEffects(tool.annotations);
  const named = contradiction(tool);
  // Whoever writes the annotations gains by them, so the graver of the two counts until a person has decided.
  if (named) return { pin, effects: [...new Set([...named.effects, ...claimed.filter(isGrave)])], effectsFrom: "name" };
  return { pin, effects: claimed, effectsFrom: tool.annotations === null ? "nobody" : "annotations" };
}

/**
 * 400 when a body changes content that only scans of its server set, or when origin and server contradict each other.
 */
export function checkTool(given: Partial<ToolFields>, before: Tool | undefined): void {
  const { origin, serverId } = { ...before, ...given };
  if (serverId && origin !== undefined && origin !== "mcp")
    throw invalidProperty("/origin", 'A tool of an MCP server is of origin "mcp".');
  if (!before || before.seenAt === null) return;
  for (const name of [...CONTENT_NAMES, "serverId", "origin"] as const) {
    if (given[name] === undefined || isSame(given[name], before[name])) continue;
    throw invalidProperty(`/${name}`, "Its server says what it is; a scan brings changes.", "read_only_property");
  }
}
