import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../http/errors.js";
import type { Operation } from "../../operation/operation.js";
import { errorCodesOf } from "./error-codes.js";
import { type Json, schemaObject } from "./schemas.js";

export function requestBody(operation: Operation, schemas: Record<string, Json>): Json {
  const optional = operation.body instanceof z.ZodOptional;
  const schema = optional ? (operation.body as z.ZodOptional<z.ZodType>).unwrap() : operation.body;
  const content = { schema: schemaObject(schema, "input", schemas) };
  return {
    required: !optional,
    content: {
      "application/json": content,
      ...(operation.dialect ? { "application/x-www-form-urlencoded": content } : {}),
    },
  };
}

/** The successful response of an operation. */
export function successResponse(operation: Operation, schemas: Record<string, Json>): Json {
  const { schema, media = "application/json", also } = operation.success;
  return {
    description: DONE[operation.success.status],
    ...(operation.hints ? { headers: { Link: HINTS } } : {}),
    ...(schema
      ? {
          content: {
            [media]: { schema: schemaObject(schema, "output", schemas) },
            ...(also ? { [also]: { schema: { type: "string" } } } : {}),
          },
        }
      : {}),
  };
}

const DONE = { 200: "Done.", 201: "Made.", 204: "Done; nothing to show." } as const;

const HINTS = {
  description:
    'Records that may be the same thing, each with `rel="related"` and, as `by`, what it has in common with the new one. Absent when there is none.',
  schema: { type: "string" },
};

/** The refusals of an operation by status, each with its possible codes. */
export function problemResponses(operation: Operation): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const status = ERRORS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(", "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}
