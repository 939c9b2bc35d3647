import { type ItemKind, KIND_OF } from "./item-kinds.js";

type Item = Record<string, unknown>;

/** Names that reach into prototypes. No property has them. */
const PROTOTYPES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** Properties whose parts have names of one's own, which may hold dots. */
const OWN_NAMES: ReadonlySet<string> = new Set(["labels", "metadata", "attributes", "configuration"]);
const TRUE: ReadonlySet<string> = new Set(["true", "yes", "y", "1"]);
const FALSE: ReadonlySet<string> = new Set(["false", "no", "n", "0"]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A time as tables have it, without a zone. It is taken for UTC. */
const PLAIN_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)$/;

/** The item that a row of a table stands for. Columns have the names of properties; an empty cell says nothing. */
export function itemOf(header: readonly string[], cells: readonly string[]): Item {
  const item: Item = {};
  for (const [at, name] of header.entries()) {
    const text = cells[at]?.trim() ?? "";
    const path = pathOf(name);
    if (text === "" || name === "" || path.some((part) => PROTOTYPES.has(part))) continue;
    put(item, path, converted(KIND_OF.get(name), name, text));
  }
  return item;
}

function pathOf(name: string): readonly string[] {
  const [first = "", ...rest] = name.split(".");
  return rest.length > 0 && OWN_NAMES.has(first) ? [first, rest.join(".")] : [first, ...rest];
}

function put(item: Item, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    item[first] ??= value;
    return;
  }
  const held = item[first];
  if (typeof held !== "object" || held === null) item[first] = {};
  put(item[first] as Item, rest, value);
}

/** A text in the form that its property wants. What has none stays, and the server says what is wrong with it. */
function converted(kind: ItemKind | undefined, name: string, text: string): unknown {
  if (kind === "party") return { type: name === "team" ? "team" : "external", id: text, name: text };
  if (kind === "term") return text.toLowerCase().replaceAll(/[\s-]+/g, "_");
  if (kind === "time") return text.replace(PLAIN_TIME, "$1T$2Z");
  if (kind === "number") return NUMBER.test(text) ? Number(text) : text;
  if (kind === "list") return text.split(",").flatMap((part) => part.trim() || []);
  if (kind !== "boolean") return text;
  const word = text.toLowerCase();
  return TRUE.has(word) || (FALSE.has(word) ? false : text);
}
