import { canonical } from "./canonical.js";

type Json = Readonly<Record<string, unknown>>;
type Reading = (value: unknown) => unknown;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list whose order means nothing, in one order. */
const sorted = (list: readonly unknown[]) =>
  list
    .map((one) => [canonical(one ?? null), one] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, one]) => one);

const values: Reading = (value) => (Array.isArray(value) ? sorted(value) : value);
const schema: Reading = (value) => (isObject(value) ? schemaInOrder(value) : value);
const schemaOrList: Reading = (value) => (Array.isArray(value) ? value.map(schema) : schema(value));
const schemas: Reading = (value) => (Array.isArray(value) ? sorted(value.map(schema)) : value);
const named =
  (read: Reading): Reading =>
  (value) =>
    isObject(value) ? mapped(value, (_name, inner) => read(inner)) : value;

/** What each keyword of JSON Schema holds, from draft 7 to 2020-12. The values of all others are data, as they are. */
const KEYWORDS: Readonly<Record<string, Reading>> = {
  ...Object.fromEntries(["required", "enum", "type"].map((name) => [name, values])),
  ...Object.fromEntries(["allOf", "anyOf", "oneOf"].map((name) => [name, schemas])),
  ...Object.fromEntries(["prefixItems", "items"].map((name) => [name, schemaOrList])),
  ...Object.fromEntries(
    [
      ...["additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems"],
      ...["contains", "not", "if", "then", "else", "contentSchema"],
    ].map((name) => [name, schema]),
  ),
  ...Object.fromEntries(
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].map((name) => [
      name,
      named(schema),
    ]),
  ),
  dependentRequired: named(values),
  dependencies: named((value) => (Array.isArray(value) ? sorted(value) : schema(value))),
};

/** A JSON Schema with every list whose order means nothing in one order, so that equal schemas have equal digests. */
export function schemaInOrder(value: Json): Json {
  return mapped(value, (name, inner) => (Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]?.(inner) : inner));
}

/** The same names with other values. Names such as `__proto__` stay what they are. */
function mapped(value: Json, read: (name: string, inner: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read(name, inner)]));
}
