import { z } from "#schema/z.js";
import type { Operation } from "../../operation/operation.js";
import { changesRecord } from "../concurrency.js";
import { takesIdempotencyKey } from "../idempotency.js";
import { filterDescription } from "./field-descriptions.js";
import type { Json } from "./json.js";
import { schemaObject } from "./schemas.js";

/** The parameters of an operation: path, query and headers. */
export function parametersOf(operation: Operation, schemas: Record<string, Json>): Json[] {
  return [
    ...pathParameters(operation, schemas),
    ...queryParameters(operation, schemas),
    ...headerParameters(operation),
  ];
}

function pathParameters(operation: Operation, schemas: Record<string, Json>): Json[] {
  return propertiesOf(operation.params, schemas).map(({ name, schema }) => ({
    name,
    in: "path",
    required: true,
    schema,
  }));
}

function queryParameters(operation: Operation, schemas: Record<string, Json>): Json[] {
  return propertiesOf(operation.query, schemas).map(({ name, schema, required }) => {
    // A query cannot hold an empty list.
    const { description = filterDescription(operation, name), minItems: _one, ...rest } = schema;
    const list = rest.type === "array" ? { explode: false } : {};
    return {
      name,
      in: "query",
      ...(required ? { required } : {}),
      ...(description ? { description } : {}),
      ...list,
      schema: rest,
    };
  });
}

function headerParameters(operation: Operation): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  });
  return [
    ...(takesIdempotencyKey(operation)
      ? [header("Idempotency-Key", "Makes a repeat give the first answer again instead of a second effect.")]
      : []),
    ...(changesRecord(operation) || namesVersion(operation) || answersOtherVersion(operation)
      ? [header("If-Match", "The ETag that was read; another version answers 412.")]
      : []),
  ];
}

/** Whether it decides about the record in its path, as some POST do. */
const namesVersion = ({ path, errors = [] }: Operation) =>
  path.includes("{id}") && errors.includes("precondition_required");

/** Whether it compares the version of what it changes, which need not stand in its path. */
const answersOtherVersion = ({ errors = [] }: Operation) => errors.includes("precondition_failed");

function propertiesOf(
  schema: unknown,
  schemas: Record<string, Json>,
): { name: string; schema: Json; required: boolean }[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const json = schemaObject(schema, "input", schemas) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: json.required?.includes(name) ?? false,
  }));
}
