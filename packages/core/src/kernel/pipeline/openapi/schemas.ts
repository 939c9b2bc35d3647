import { z } from "zod";

export type Json = Record<string, unknown>;

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
    // Request schemas come first, because they state more than the answers of the same name.
    schemas[name] ??= based(plain(body, io) as Json, schemas);
  }
  const { id, ...body } = plain(root, io) as Json & { id?: string };
  if (id === undefined) return paged(body, schemas);
  schemas[id] ??= based(body, schemas);
  return { $ref: `#/components/schemas/${id}` };
}

/** Drops what is implied: bounds of safe integers, the pattern of times, and in answers all bounds. */
function plain(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, io));
  if (typeof value !== "object" || value === null) return value;
  const { allOf, ...own } = value as Json;
  // A `$ref` allows no siblings in OpenAPI 3.0.
  if (Array.isArray(allOf) && allOf.length === 1) return plain(allOf[0], io);
  const entries = Object.entries(value).filter(([key, inner]) => !isImplied(key, inner, own, io));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string"
        ? inner.replace(/^#\/(?:definitions|\$defs)\//, "#/components/schemas/")
        : plain(inner, io),
    ]),
  );
}

function isImplied(key: string, value: unknown, { type, format }: Json, io: "input" | "output"): boolean {
  if (key === "pattern" || key === "example") return type === "string" && format === "date-time";
  if (key === "minimum" || key === "maximum") return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  if (io === "input") return false;
  return BOUNDS.has(key) || (key === "additionalProperties" && value === false);
}

/** Constraints that apply to requests only. */
const BOUNDS: ReadonlySet<string> = new Set(["minLength", "maxLength", "minItems", "maxItems", "pattern"]);

/** Names for groups of properties that many schemas share. */
const BASES: Readonly<Record<string, readonly string[]>> = {
  Record: ["id", "version", "metadata", "createdAt", "createdBy", "updatedAt", "updatedBy"],
  JoinedRecord: [
    "assetId",
    "blockedBy",
    "description",
    "provider",
    "environment",
    "owner",
    "sponsor",
    "governanceState",
    "approvedUntil",
    "riskTier",
    "lifecycle",
    "editVersion",
    "configuration",
    "attributes",
  ],
  Request: ["name", "reason", "metadata", "configuration", "attributes"],
};

/** A schema as references to shared groups of properties, and the rest. */
function based(schema: Json, schemas: Record<string, Json>): Json {
  const {
    type,
    properties = {},
    required = [],
    ...meant
  } = schema as Json & { properties?: Json; required?: string[] };
  const parts: Json[] = [];
  let own = Object.entries(properties);
  for (const [title, names] of Object.entries(BASES)) {
    const shared = Object.fromEntries(own.filter(([name]) => names.includes(name)));
    if (Object.keys(shared).length < names.length) continue;
    const needed = names.filter((name) => required.includes(name));
    const base: Json = { type, properties: shared, ...(needed.length > 0 ? { required: needed } : {}) };
    schemas[title] ??= base;
    if (JSON.stringify(schemas[title]) !== JSON.stringify(base)) continue;
    parts.push({ $ref: `#/components/schemas/${title}` });
    own = own.filter(([name]) => !names.includes(name));
  }
  if (parts.length === 0) return schema;
  const left = required.filter((name) => own.some(([key]) => key === name));
  const rest = { type, properties: Object.fromEntries(own), ...(left.length > 0 ? { required: left } : {}) };
  const { additionalProperties, ...said } = meant;
  return {
    ...said,
    allOf: [...parts, { ...rest, ...(additionalProperties === undefined ? {} : { additionalProperties }) }],
  };
}

const ENVELOPE = ["page", "size", "totalItems", "totalPages", "totalRelation", "nextCursor"];

/** The page of a list, as a reference to the shared envelope plus its items. */
function paged(schema: Json, schemas: Record<string, Json>): Json {
  const { properties, required } = schema as { properties?: Record<string, Json>; required?: string[] };
  const { items, ...envelope } = properties ?? {};
  if (!items || Object.keys(envelope).join() !== ENVELOPE.join()) return schema;
  schemas.Page ??= { type: "object", properties: envelope, required: required?.filter((name) => name !== "items") };
  const own = { type: "object", properties: { items }, required: ["items"] };
  return { allOf: [{ $ref: "#/components/schemas/Page" }, own] };
}
