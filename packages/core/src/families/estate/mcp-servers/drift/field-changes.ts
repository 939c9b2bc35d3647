import { canonical } from "#kernel/events/canonical.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";
import { MAPPING_MEMBER } from "../../tools/mapping/read-mapping.js";
import type { DriftSeverity } from "./severity.js";

type Json = Readonly<Record<string, unknown>>;

/** One difference: its place, both values, and the rule that sets its severity. */
export interface FieldChange {
  /** JSON pointer into the entry. */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly severity: DriftSeverity;
  readonly rule: "text" | "schema" | "required_argument" | "enum_widened" | "mapping" | "cosmetic";
}

const MAPPING = `/inputSchema/${MAPPING_MEMBER}`;

/** The most differences reported for one entry. */
export const MOST_CHANGES = 50;
/** The most characters of a reported value. */
const SHOWN = 2_000;

/** Members whose text models read, at any depth. */
const TEXTS = new Set(["description", "title", "instructions"]);

/** The differences between two versions of an entry, depth-first, at most `MOST_CHANGES`. */
export function fieldChanges(before: Json, after: Json): FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, "", found);
  return found;
}

function compare(before: unknown, after: unknown, pointer: string, found: FieldChange[]): void {
  if (found.length >= MOST_CHANGES || same(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const name of names(before, after)) {
      compare(own(before, name), own(after, name), `${pointer}${jsonPointer([name])}`, found);
    }
    return;
  }
  const [rule, severity] = judged(before, after, pointer);
  found.push({ pointer, before: shown(before), after: shown(after), severity, rule });
}

function judged(before: unknown, after: unknown, pointer: string): [FieldChange["rule"], DriftSeverity] {
  const member = pointer.slice(pointer.lastIndexOf("/") + 1);
  // Calls are authorized by a mapping, in which a blank may count too.
  if (pointer === MAPPING || pointer.startsWith(`${MAPPING}/`)) return ["mapping", "high"];
  if (cosmetic(before, after)) return ["cosmetic", "low"];
  if (TEXTS.has(member) && [before, after].some((value) => typeof value === "string")) return ["text", "high"];
  if (member === "required" && adds(before, after)) return ["required_argument", "medium"];
  if (member === "enum" && adds(before, after)) return ["enum_widened", "medium"];
  // New parts of a schema may contain text for models.
  return ["schema", isObject(after) && holdsText(after) ? "high" : "medium"];
}

/** Whether two texts differ only in white space and in compatibility forms of characters. */
export function cosmetic(before: unknown, after: unknown): boolean {
  if (typeof before !== "string" || typeof after !== "string") return false;
  const folded = (text: string) => text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
  return folded(before) === folded(after);
}

function adds(before: unknown, after: unknown): boolean {
  if (!Array.isArray(after)) return false;
  const known = new Set((Array.isArray(before) ? before : []).map((value) => canonical(value)));
  return after.some((value) => !known.has(canonical(value)));
}

function holdsText(value: Json): boolean {
  return Object.entries(value).some(
    ([name, inner]) => (TEXTS.has(name) && typeof inner === "string") || (isObject(inner) && holdsText(inner)),
  );
}

/** An own property of the value, never an inherited one such as `constructor`. */
function own(value: Json, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function names(before: Json, after: Json): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function same(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  return typeof before === "object" && typeof after === "object" && canonical(before) === canonical(after);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as text, truncated when it is long. */
export function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : canonical(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).toWellFormed()}…`;
}
