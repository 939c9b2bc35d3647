import type { Json } from "./json.js";
import { free, inside } from "./share-schemas.js";

/** A schema and the places that have it, whatever they say of it. */
interface Alike {
  readonly key: string;
  readonly places: Json[];
  /** How often each is said. */
  readonly descriptions: Map<string, number>;
  /** Whether it becomes a component, which the first place decides for all. */
  isShared?: boolean;
}

/**
 * Lets schemas that differ in their description alone refer to one component. It has the description of most, and
 * places without one take it. Replaces them in `parameters` too.
 */
export function* shareDescribed(
  schemas: Readonly<Record<string, Json>>,
  parameters: readonly Json[],
): Generator<void, Record<string, Json>> {
  const shared: Record<string, Json> = { ...schemas };
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [bare(schema), name]));
  const found = new Map<string, Alike>();
  const noted = (schema: Json, key: string, itemKey = key) => {
    if (!("$ref" in schema)) note(found, schema, key).places.push(schema);
    return inside(schema, key, noted, itemKey);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    note(found, schema, name);
    inside(schema, name, noted);
    yield;
  }
  for (const { name, schema } of parameters) noted(schema as Json, "filter", String(name));

  const replaced = (schema: Json, key: string): Json => {
    const own = inside(schema, key, replaced);
    const text = bare(schema);
    const alike = found.get(text);
    if ("$ref" in schema || !alike) return own;
    const name = names.get(text) ?? free(alike.key, shared);
    const description = shared[name]?.description ?? usual(alike);
    const component = description === undefined ? {} : { description };
    alike.isShared ??= isWorth(
      alike,
      name,
      component,
      names.has(text) ? 0 : text.length + name.length + lengthOf(component),
    );
    if (!alike.isShared) return own;
    const { description: _said, ...plain } = own;
    names.set(text, name);
    shared[name] = { ...component, ...(shared[name] ?? plain) };
    return referring(schema, name, component);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const { description } = shared[name] ?? {};
    shared[name] = { ...(description === undefined ? {} : { description }), ...inside(schema, name, replaced) };
    yield;
  }
  for (const parameter of parameters) parameter.schema = replaced(parameter.schema as Json, "filter");
  return shared;
}

const bare = ({ description: _said, ...schema }: Json) => JSON.stringify(schema);

function note(found: Map<string, Alike>, schema: Json, key: string): Alike {
  const text = bare(schema);
  const alike = found.get(text) ?? { key, places: [], descriptions: new Map() };
  const { description } = schema;
  if (typeof description === "string")
    alike.descriptions.set(description, (alike.descriptions.get(description) ?? 0) + 1);
  found.set(text, alike);
  return alike;
}

/** The description that most places have. */
const usual = ({ descriptions }: Alike) => [...descriptions].sort(([, one], [, other]) => other - one)[0]?.[0];

/** Whether references make the document shorter by more than the component takes. */
const isWorth = ({ places }: Alike, name: string, component: Json, length: number) =>
  places.reduce((sum, place) => sum + lengthOf(place) - lengthOf(referring(place, name, component)), 0) > length;

function referring({ description }: Json, name: string, component: Json): Json {
  const reference = { $ref: `#/components/schemas/${name}` };
  // A `$ref` allows no siblings in OpenAPI 3.0.
  return description === undefined || description === component.description
    ? reference
    : { description, allOf: [reference] };
}

const lengthOf = (schema: Json) => JSON.stringify(schema).length;
