import { isObject } from "../rows/row.js";
import { isParty } from "./properties.js";
import type { Schema } from "./schema.js";

const LIST_SEPARATOR = ",";
const TRUE: ReadonlySet<string> = new Set(["true", "yes", "y", "1"]);
const FALSE: ReadonlySet<string> = new Set(["false", "no", "n", "0"]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A time as tables have it, without a zone. It is taken for UTC. */
const PLAIN_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)$/;

/** Whether a cell says nothing. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/**
 * A value of a file in the form that a property wants. What has no such form stays as it is, and the control plane says
 * what is wrong with it. `property` tells a team from a person.
 */
export function converted(value: unknown, schema: Schema, property: string, separator = LIST_SEPARATOR): unknown {
  if (isParty(schema)) return typeof value === "string" ? partyOf(value.trim(), property) : value;
  if (schema.additionalProperties && Array.isArray(value)) return pairsOf(value) ?? value;
  if (schema.type === "array") return listOf(value, schema.items ?? {}, property, separator);
  if (schema.format === "date-time") return timeOf(value);
  const plain = typeof value === "string" ? value.trim() : value;
  if (schema.type === "string" && ["number", "boolean"].includes(typeof plain)) return String(plain);
  if (typeof plain !== "string") return plain;
  if (schema.enum) return termOf(plain, schema.enum);
  if (schema.type === "boolean") return booleanOf(plain);
  if (["number", "integer"].includes(schema.type ?? "") && NUMBER.test(plain)) return Number(plain);
  return plain;
}

/** The words that say who somebody is: the control plane finds the user with that address, or keeps the name. */
function partyOf(text: string, property: string): object {
  return { type: property.split(".").at(-1) === "team" ? "team" : "external", id: text, name: text };
}

/** The object that a list of `{key, value}` stands for. */
function pairsOf(list: readonly unknown[]): object | undefined {
  const pairs = list.map((pair) => (isObject(pair) ? [pair.key ?? pair.Key, pair.value ?? pair.Value] : []));
  return pairs.every(([key]) => typeof key === "string") ? Object.fromEntries(pairs) : undefined;
}

function listOf(value: unknown, items: Schema, property: string, separator: string): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  const parts = value.split(separator).filter((part) => part.trim() !== "");
  return parts.map((part) => converted(part, items, property));
}

function timeOf(value: unknown): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value)) return new Date(value).toISOString();
  if (typeof value !== "string") return value;
  return value.trim().replace(PLAIN_TIME, "$1T$2Z");
}

/** The term that is written like the text, but for case, blanks and hyphens. */
function termOf(text: string, terms: readonly unknown[]): string {
  const plain = (term: unknown) =>
    String(term)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_");
  const term = terms.find((each) => plain(each) === plain(text));
  return term === undefined ? text : String(term);
}

function booleanOf(text: string): boolean | string {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : text;
}
