import { z } from "#schema/z.js";
import { ERRORS, type ErrorCode } from "../../http/errors.js";
import type { Operation } from "../../operation/operation.js";
import { takesUnknown } from "../unknown-fields.js";
import { errorCodesOf } from "./error-codes.js";
import type { Json } from "./json.js";
import { schemaObject } from "./schemas.js";

export function requestBody(operation: Operation, schemas: Record<string, Json>): Json {
  const optional = operation.body instanceof z.ZodOptional;
  const schema = optional ? (operation.body as z.ZodOptional<z.ZodType>).unwrap() : operation.body;
  const content = { schema: closed(schemaObject(schema, "input", schemas), schemas) };
  return {
    required: !optional,
    content: {
      "application/json": content,
      ...(operation.dialect ? { "application/x-www-form-urlencoded": content } : {}),
      ...Object.fromEntries((operation.takes?.media ?? []).filter(isBinary).map((media) => [media, BINARY])),
    },
  };
}

const isBinary = (media: string) => !media.endsWith("json");
const BINARY = { schema: { type: "string", format: "binary" } };

/** Leaves `additionalProperties` out of an open body, so that generated types have the known properties only. */
function closed(schema: Json, schemas: Record<string, Json>): Json {
  const name = String(schema.$ref).split("/").at(-1) as string;
  const { additionalProperties, ...rest } = schemas[name] ?? {};
  if (typeof additionalProperties === "object") schemas[name] = rest;
  return schema;
}

/** The successful response of an operation. */
export function successResponse(operation: Operation, schemas: Record<string, Json>): Json {
  const { schema, media = "application/json", also } = operation.success;
  return {
    description: successOf(operation),
    ...(operation.hints ? { headers: { Link: HINTS } } : {}),
    ...(schema
      ? {
          content: {
            [media]: { schema: warned(operation, schemaObject(schema, "output", schemas), schemas) },
            ...(also ? { [also]: { schema: { type: "string" } } } : {}),
            ...Object.fromEntries((operation.takes?.media ?? []).filter(isBinary).map((one) => [one, BINARY])),
          },
        }
      : {}),
  };
}

/** Adds `warnings` to the answer of an operation whose body is open. */
function warned(operation: Operation, schema: Json, schemas: Record<string, Json>): Json {
  if (!takesUnknown(operation)) return schema;
  schemas.Warned ??= WARNED;
  return { allOf: [schema, { $ref: "#/components/schemas/Warned" }] };
}

const WARNED: Json = {
  type: "object",
  properties: {
    warnings: {
      type: "array",
      description: "Unknown properties of the body that are all but a known name. Absent when there is none.",
      items: {
        type: "object",
        required: ["pointer", "message"],
        properties: {
          pointer: { type: "string", description: "JSON Pointer (RFC 6901) into the body." },
          message: { type: "string", description: "What looks like a mistake." },
        },
      },
    },
  },
};

const DONE = { 200: "Done", 201: "Made", 204: "Done", 303: "The browser is sent on" } as const;

/** As in "Made. The answer is an `AiAsset`." */
function successOf({ success: { status, schema, media } }: Operation): string {
  if (!schema) return `${DONE[status]}. The answer has no body.`;
  const name = schema.meta()?.id ?? media;
  if (name !== undefined) return `${DONE[status]}. The answer is ${/^[AEIO]/.test(name) ? "an" : "a"} \`${name}\`.`;
  const isList = schema instanceof z.ZodObject && "items" in schema.shape;
  return `${DONE[status]}. The answer is ${isList ? "a page of records" : "an object"}.`;
}

const HINTS = {
  description:
    'Records that may be the same thing, each with `rel="related"` and, as `by`, what it has in common with the new one. Absent when there is none.',
  schema: { type: "string" },
};

/** Statuses that mean the same at every operation. They share the entry `default`, which keeps the document small. */
const COMMON = new Set<number>([401, 413, 415, 429, 500, 503]);

/** The refusals of an operation by status, each with its possible codes. */
export function problemResponses(operation: Operation): Record<string, Json> {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const status = ERRORS[code][0];
    const entry = COMMON.has(status) ? "default" : String(status);
    byStatus.set(entry, [...(byStatus.get(entry) ?? []), code]);
  }
  const problem = { schema: { $ref: "#/components/schemas/Problem" } };
  // Clients of RFC 6749 may ask for refusals as plain JSON.
  const plain = operation.dialect ? { "application/json": problem } : {};
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: status === "default" ? byStatusIn(codes) : `Refused with ${quoted(codes)}.`,
        content: { "application/problem+json": problem, ...plain },
      },
    ]),
  );
}

const quoted = (codes: readonly ErrorCode[]) => codes.map((code) => `\`${code}\``).join(", ");

/** As in "401 `invalid_token`; 503 `storage_busy`, `storage_unavailable`". */
function byStatusIn(codes: readonly ErrorCode[]): string {
  const statuses = [...new Set(codes.map((code) => ERRORS[code][0]))].sort();
  return statuses.map((status) => `${status} ${quoted(codes.filter((code) => ERRORS[code][0] === status))}`).join("; ");
}
