import { z } from "#schema/z.js";
import { type FieldError, ReeveError } from "../http/errors.js";
import type { JsonObject } from "../http/json-guard.js";
import { schemaFaults } from "../http/schema-faults.js";
import type { Operation } from "../operation/operation.js";
import { stoppingBody } from "../operation/stopping-body.js";
import { refuseUnfitBody } from "./kept-body.js";

/** Names by which clients give a tenant. They are ignored, because the tenant comes from the token. */
export const TENANT_HINTS = ["tenantId", "tenant_id", "orgId", "org_id"];

/** The input of an operation before validation. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: JsonObject | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation's handler knows its own types; the table holds them all
export type ParsedInput = { params: any; query: any; body: any };

/** Validates parameters, query and body against the operation's schemas. Reports every mistake at once. */
export function parseInput(operation: Operation, raw: RawInput): ParsedInput {
  const params = operation.params ? operation.params.safeParse(raw.params) : undefined;
  if (params?.success === false) throw new ReeveError("not_found");
  return {
    params: params?.data,
    query: operation.query ? parsedQuery(operation.query, raw.query) : refuseUnknown(raw.query),
    body: operation.body ? keptBody(operation, raw.body) : undefined,
  };
}

function keptBody(operation: Operation, body: JsonObject | undefined): unknown {
  const given = operation.stops ? stoppingBody(body) : body;
  const parsed = parseBody(operation.body, given);
  refuseUnfitBody(operation, given);
  return parsed;
}

/** The names of the parameters that an operation knows. */
export function queryNames({ query }: Pick<Operation, "query">): readonly string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

/** The names of each query's numbers, found at its first use. */
const numbers = new WeakMap<z.ZodType, ReadonlySet<string>>();

function numbersIn(schema: z.ZodType): ReadonlySet<string> {
  const known = numbers.get(schema);
  if (known) return known;
  const names = Object.entries(shapeOf(schema)).flatMap(([name, inner]) => (isNumeric(inner) ? [name] : []));
  const found = new Set(names);
  numbers.set(schema, found);
  return found;
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}

function parsedQuery(schema: z.ZodType, query: Readonly<Record<string, unknown>>): unknown {
  const numeric = numbersIn(schema);
  const values = Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => !TENANT_HINTS.includes(name))
      .map(([name, value]) => [name, typeof value === "string" && numeric.has(name) ? strictNumber(value) : value]),
  );
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const known = Object.keys(shapeOf(schema));
  const errors = result.error.issues.flatMap((issue): FieldError[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((parameter) => ({
          parameter,
          code: "invalid_parameter",
          message: `Unknown. Known here: ${known.join(", ")}.`,
        }))
      : [{ parameter: String(issue.path[0] ?? ""), code: "invalid_parameter", message: issue.message }],
  );
  throw new ReeveError("invalid_parameter", undefined, { errors });
}

function refuseUnknown(query: Readonly<Record<string, unknown>>): undefined {
  const unknown = Object.keys(query).filter((name) => !TENANT_HINTS.includes(name));
  if (unknown.length === 0) return undefined;
  const errors = unknown.map((parameter) => ({
    parameter,
    code: "invalid_parameter",
    message: "This operation takes no parameters.",
  }));
  throw new ReeveError("invalid_parameter", undefined, { errors });
}

/** Validates a body against a schema. Reports every mistake at once. */
export function parseBody(schema: z.ZodType, body: JsonObject | undefined): unknown {
  const given = body && TENANT_HINTS.some((hint) => hint in body) ? withoutHints(body) : body;
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ReeveError("invalid_request", undefined, { errors: schemaFaults(result.error) });
}

function withoutHints(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !TENANT_HINTS.includes(name)));
}

function isNumeric(schema: z.ZodType): boolean {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  return inner instanceof z.ZodNumber;
}

// Query values are text. Only plain decimal digits become a number, so " 1", "+1", "0x10" and "1e3" are refused.
function strictNumber(value: string): number | string {
  return /^-?(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
}
