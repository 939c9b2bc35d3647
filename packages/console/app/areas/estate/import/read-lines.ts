import { itemOf } from "./item-of.js";
import { tableRows } from "./table-rows.js";

/** A line of a file: its number, and the item that it stands for. */
export interface Line {
  readonly at: number;
  readonly item: Readonly<Record<string, unknown>>;
}

/** A line that no server was asked about, and why. */
export interface Unread {
  readonly at: number;
  readonly why: "no_json" | "no_object" | "too_many_cells";
}

export type FileFault = "not_utf8" | "open_quote" | "empty" | "no_identity" | "column_twice";

export type ReadFile =
  | { readonly fault: FileFault }
  | { readonly fault?: undefined; readonly lines: readonly Line[]; readonly unread: readonly Unread[] };

/** What one request takes: items, bytes and values. The server says the rest of a line that breaks these alone. */
const MOST = { items: 500, bytes: 240_000, values: 9_500 };

/** The items of a file of JSON lines, or of a table whose columns have the names of properties. */
export function readLines(bytes: ArrayBuffer): ReadFile {
  const text = textOf(bytes);
  if (text === undefined) return { fault: "not_utf8" };
  if (text.trim() === "") return { fault: "empty" };
  return text.trimStart().startsWith("{") ? jsonLines(text) : tableLines(text);
}

function textOf(bytes: ArrayBuffer): string | undefined {
  const [one, two] = new Uint8Array(bytes);
  const encoding = one === 0xff && two === 0xfe ? "utf-16le" : one === 0xfe && two === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function jsonLines(text: string): ReadFile {
  const lines: Line[] = [];
  const unread: Unread[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = index + 1;
    try {
      const item: unknown = JSON.parse(line);
      if (typeof item !== "object" || item === null || Array.isArray(item)) unread.push({ at, why: "no_object" });
      else lines.push({ at, item: item as Line["item"] });
    } catch {
      unread.push({ at, why: "no_json" });
    }
  }
  return { lines, unread };
}

function tableLines(text: string): ReadFile {
  const rows = tableRows(text);
  if (!rows) return { fault: "open_quote" };
  const [head, ...others] = rows;
  const header = (head?.cells ?? []).map((name) => name.trim());
  const named = header.filter((name) => name !== "");
  if (new Set(named).size < named.length) return { fault: "column_twice" };
  if (!named.includes("externalRef.id")) return { fault: "no_identity" };
  const isTooLong = (cells: readonly string[]) => cells.slice(header.length).some((cell) => cell.trim() !== "");
  return {
    lines: others.flatMap(({ at, cells }) => (isTooLong(cells) ? [] : [{ at, item: itemOf(header, cells) }])),
    unread: others.flatMap(({ at, cells }) => (isTooLong(cells) ? [{ at, why: "too_many_cells" as const }] : [])),
  };
}

/** The lines in parts that one request takes each. */
export function partsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const parts: Line[][] = [];
  let held = { bytes: 0, values: 0 };
  for (const line of lines) {
    const own = { bytes: utf8.encode(JSON.stringify(line.item)).length + 1, values: valuesIn(line.item) };
    const sum = { bytes: held.bytes + own.bytes, values: held.values + own.values };
    const part = parts.at(-1);
    const fits = part && part.length < MOST.items && sum.bytes <= MOST.bytes && sum.values <= MOST.values;
    if (fits) part.push(line);
    else parts.push([line]);
    held = fits ? sum : own;
  }
  return parts;
}

const utf8 = new TextEncoder();

/** How many values one holds, itself counted. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1);
}
