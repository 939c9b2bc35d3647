import type { Json } from "./json.js";

/** The length of a reference without its name. */
const REFERENCE = JSON.stringify({ $ref: "#/components/schemas/" }).length;

/** Moves schemas that repeat to components of their own, named after their property. Replaces them in `parameters` too. */
export function* shareSchemas(
  schemas: Readonly<Record<string, Json>>,
  parameters: readonly Json[],
): Generator<void, Record<string, Json>> {
  const seen = new Map<string, { times: number; readonly key: string }>();
  const counted = (schema: Json, key: string, itemKey = key) => {
    const text = JSON.stringify(schema);
    const found = seen.get(text);
    if (found) found.times += 1;
    else seen.set(text, { times: 1, key });
    return inside(schema, key, counted, itemKey);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    inside(schema, name, counted);
    yield;
  }
  for (const { name, schema } of parameters) counted(schema as Json, "filter", String(name));
  const shared: Record<string, Json> = { ...schemas };
  const names = new Map<string, string>();
  const replaced = (schema: Json): Json => {
    const text = JSON.stringify(schema);
    const found = seen.get(text);
    const own = inside(schema, "", replaced);
    if ("$ref" in schema || !found || !isWorth(text.length, found)) return own;
    const name = names.get(text) ?? free(found.key, shared);
    names.set(text, name);
    shared[name] = own;
    return { $ref: `#/components/schemas/${name}` };
  };
  for (const [name, schema] of Object.entries(schemas)) {
    shared[name] = inside(schema, "", replaced);
    yield;
  }
  for (const parameter of parameters) parameter.schema = replaced(parameter.schema as Json);
  return shared;
}

/** Whether sharing the schema makes the document shorter. */
const isWorth = (length: number, { times, key }: { readonly times: number; readonly key: string }) =>
  times * length > times * (REFERENCE + key.length) + length + key.length;

export function free(key: string, taken: Readonly<Record<string, Json>>): string {
  const title = key.charAt(0).toUpperCase() + key.slice(1);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title}${number}`;
    if (!(name in taken)) return name;
  }
}

/** Applies `change` to each schema inside a schema. List items keep the name of their list, unless they have their own. */
export function inside(schema: Json, key: string, change: (schema: Json, key: string) => Json, itemKey = key): Json {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const each = (list: unknown) => (list as Json[]).map((inner) => change(inner, key));
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties as Record<string, Json>).map(([name, inner]) => [name, change(inner, name)]),
          ),
        }
      : {}),
    ...(items ? { items: change(items as Json, itemKey) } : {}),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: change(additionalProperties as Json, key) }
      : {}),
    ...(anyOf ? { anyOf: each(anyOf) } : {}),
    ...(oneOf ? { oneOf: each(oneOf) } : {}),
    ...(allOf ? { allOf: each(allOf) } : {}),
  };
}
