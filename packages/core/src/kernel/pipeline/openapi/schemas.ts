import { z } from "#schema/z.js";
import type { Json } from "./json.js";
import { withNull } from "./null.js";
import { SHARED_PROPERTIES } from "./shared-properties.js";

/** Components in alphabetical order. */
export function named(components: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A schema as JSON Schema in the OpenAPI 3.0 dialect. Schemas with an id become components and are referenced. */
export function schemaObject(schema: unknown, io: "input" | "output", schemas: Record<string, Json>): Json {
  const json = z.toJSONSchema(schema as z.ZodType, { target: "openapi-3.0", io, unrepresentable: "any" }) as Json;
  const {
    definitions,
    $defs,
    $schema: _dialect,
    ...root
  } = json as Json & { definitions?: Record<string, Json>; $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries({ ...definitions, ...$defs })) {
    const { id: _id, ...body } = definition;
    schemas[name] ??= plain(body, io) as Json;
  }
  const { id, ...body } = plain(root, io) as Json & { id?: string };
  if (id === undefined) return paged(body, schemas);
  schemas[id] ??= body;
  return { $ref: `#/components/schemas/${id}` };
}

/** Drops what is implied: bounds of safe integers, the pattern of times and days, and in answers all bounds. */
function plain(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, io));
  if (typeof value !== "object" || value === null) return value;
  const said = withNull(withDate(value as Json, io));
  const { allOf, ...own } = said;
  // A `$ref` allows no siblings in OpenAPI 3.0.
  if (Array.isArray(allOf) && allOf.length === 1) return plain(allOf[0], io);
  // One order of keywords, so that equal schemas are equal texts.
  const entries = Object.entries(said)
    .filter(([key, inner]) => !isImplied(key, inner, own, io))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, plainPart(key, inner, io)]));
}

/** Lets a time of a request be a plain date too, and says in the description what it means. Answers hold times. */
function withDate({ "x-date": dateAs, ...time }: Json, io: "input" | "output"): Json {
  if (dateAs === undefined || io === "output") return time;
  const { type, format, pattern: _pattern, example: _example, description, ...rest } = time;
  const meaning = `A date means its ${dateAs}, UTC.`;
  return {
    ...rest,
    description: description === undefined ? meaning : `${description} ${meaning}`,
    anyOf: [
      { type, format },
      { type, format: "date" },
    ],
  };
}

function plainPart(key: string, value: unknown, io: "input" | "output"): unknown {
  if (key === "$ref") return String(value).replace(/^#\/(?:definitions|\$defs)\//, "#/components/schemas/");
  if (key === "example" || key === "default") return value;
  return key === "properties" ? eachProperty(value as Json, (schema) => plain(schema, io)) : plain(value, io);
}

/** Property names are always kept, because they are not keywords. */
function eachProperty(properties: Json, change: (schema: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));
}

function isImplied(key: string, value: unknown, { type, format }: Json, io: "input" | "output"): boolean {
  if (key === "pattern" && type === "string" && format === "date") return true;
  if (key === "pattern" || key === "example") return type === "string" && format === "date-time";
  if (key === "minimum" || key === "maximum") {
    if (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return true;
  }
  return io === "output" && isBound(key, value);
}

const BOUNDS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "pattern",
  "default",
]);

/** Whether a keyword is a constraint that applies to requests only. */
const isBound = (key: string, value: unknown) => BOUNDS.has(key) || (key === "additionalProperties" && value === false);

/** A schema without the constraints that apply to requests only. */
export const answered = (schema: Json) => plain(schema, "output") as Json;

/** The page of a list, as a reference to the shared envelope plus its items. */
function paged(schema: Json, schemas: Record<string, Json>): Json {
  const { properties, required } = schema as { properties?: Record<string, Json>; required?: string[] };
  const { items, ...envelope } = properties ?? {};
  if (!items || Object.keys(envelope).join() !== SHARED_PROPERTIES.ListBase?.join()) return schema;
  schemas.Page ??= { type: "object", properties: envelope, required: required?.filter((name) => name !== "items") };
  const own = { properties: { items }, required: ["items"] };
  return { allOf: [{ $ref: "#/components/schemas/Page" }, own] };
}
