import type { Json } from "./json.js";

/** `null` and nothing else, in OpenAPI 3.0. */
const NULL: Json = { enum: [null], nullable: true, type: "string" };

/**
 * The schema with `null` as OpenAPI 3.0.3 means it. There `nullable` adds to the `type` beside it alone, an `enum` must list
 * `null`, and of alternatives one must be `null`.
 */
export function withNull(schema: Json): Json {
  if (schema.nullable !== true) return schema;
  const { nullable: _said, allOf, anyOf, oneOf, ...rest } = schema;
  const values = Array.isArray(rest.enum) ? { enum: [...new Set([...rest.enum, null])] } : {};
  if (rest.type !== undefined) return { ...schema, ...values };
  const each = (list: unknown) => [...(list as Json[]), NULL];
  if (anyOf) return { ...rest, anyOf: each(anyOf) };
  if (oneOf) return { ...rest, oneOf: each(oneOf) };
  if (Array.isArray(allOf)) return { ...rest, anyOf: each(allOf.length === 1 ? allOf : [{ allOf }]) };
  return { ...rest, ...values };
}
