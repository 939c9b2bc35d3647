import type { Received } from "./receiver.js";

/** The longest text that is kept as it is. Longer ones are prompts of clients, and of no use here. */
const LONGEST = 160;
/** Spans of Codex that tell of calls. It has hundreds of others. */
const SPANS_OF_CODEX = new Set(["handle_responses", "mcp.tools.call", "session_task.turn", "fs.read_file"]);
const MOST_OTHERS = 2;

interface Place {
  readonly folder: string;
  readonly model: string;
}

/** An export without what tells of the machine that it was made on, and without what is long. */
export function tidy(received: readonly Received[], place: Place): Received[] {
  const seen = new Map<string, number>();
  return received.map((one) => (one.body ? { ...one, body: tidied(one.body, place, seen) as object } : one));
}

function tidied(value: unknown, place: Place, seen: Map<string, number>): unknown {
  if (typeof value === "string") return textOf(value, place);
  if (Array.isArray(value)) return value.filter((one) => isKept(one, seen)).map((one) => tidied(one, place, seen));
  if (typeof value !== "object" || value === null) return value;
  const { key, value: held } = value as { readonly key?: unknown; readonly value?: unknown };
  if (typeof key === "string" && OF_MACHINE.test(key)) return { key, value: { stringValue: `canary-${key}` } };
  if (typeof key === "string" && held !== undefined) return { key, value: tidied(held, place, seen) };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tidied(inner, place, seen)]));
}

/** Attributes of a resource or a user that are no data of a call. */
const OF_MACHINE = /^(?:host\.|os\.|process\.|user\.|installation\.id|service\.instance\.id|thread\.)/;

function isKept(
  one: { readonly name?: string; readonly spanId?: string; readonly unit?: string },
  seen: Map<string, number>,
): boolean {
  if (typeof one !== "object" || one === null) return true;
  const isMetric = "sum" in one || "histogram" in one || "gauge" in one;
  const isOther =
    isMetric || ("spanId" in one && "attributes" in one && isOfCodex(one) && !SPANS_OF_CODEX.has(one.name ?? ""));
  const isMany = isOther || one.name === "fs.read_file";
  if (!isMany) return true;
  const kind = isMetric ? "metric" : "span";
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  return (seen.get(kind) ?? 0) <= MOST_OTHERS;
}

const isOfCodex = (span: object) => JSON.stringify(span).includes('"code.module.name"');

function textOf(text: string, { folder, model }: Place): string {
  const plain = text.replaceAll(folder, "/home/canary").replaceAll(model, "http://127.0.0.1:1");
  if (plain.length <= LONGEST) return plain;
  return /^[\s\w":{},.\\/-]*mcp_(?:server|tool)_name/.test(plain) ? plain : `canary-text of ${plain.length} characters`;
}
