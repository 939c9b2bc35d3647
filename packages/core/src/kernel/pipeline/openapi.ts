import { z } from "zod";
import type { KernelOptions } from "../config/options.js";
import { ERRORS, type ErrorCode } from "../http/errors.js";
import type { DescribedOperation, Operation } from "../operation/operation.js";
import type { OperationTable } from "../operation/table.js";
import { changesRecord } from "./concurrency.js";
import { API_VERSION } from "./encode.js";
import { takesIdempotencyKey } from "./idempotency.js";

type Json = Record<string, unknown>;

type Described = Pick<OperationTable, "operations" | "tags" | "capabilities">;

/** The OpenAPI 3.0.3 description of these operations. All of it comes from the operation table. */
export function openapiOf(
  { operations, tags, capabilities }: Described,
  options: Pick<KernelOptions, "baseUrl">,
): Json {
  const schemas: Record<string, Json> = { Problem: problemSchema() };
  const paths: Record<string, Json> = {};
  for (const operation of operations.filter((candidate) => !candidate.hidden)) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: operationObject(operation, capabilities, schemas) };
  }
  const used = new Set(operations.filter((candidate) => !candidate.hidden).map((operation) => operation.tag));
  return {
    openapi: "3.0.3",
    info: {
      title: "Reeve",
      version: API_VERSION,
      description: "Control plane for an organisation's AI estate.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: options.baseUrl }],
    tags: Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  };
}

/** Every code an operation can answer with: its own, and those that follow from access, parameters, query and body. */
export function errorCodesOf(operation: DescribedOperation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors ?? []);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add(
    "invalid_encoding",
    "invalid_parameter",
    "forbidden_key",
    "rate_limited",
    "internal",
    "storage_unavailable",
    "storage_busy",
    "secret_unavailable",
    "shutting_down",
  );
  if (operation.access !== "public")
    add("token_missing", "invalid_token", "token_expired", "issuer_unavailable", "tenant_suspended", "invalid_request");
  if (typeof operation.access === "object") {
    add("permission_denied");
    if (operation.access.capability) add("capability_not_licensed");
    if (operation.access.provider) add("provider_policy");
  }
  if (operation.params) add("not_found");
  if (operation.body) add("invalid_request", "invalid_json", "payload_too_large", "unsupported_media_type");
  if (operation.access !== "public" && operation.query && "cursor" in ((operation.query as z.ZodObject).shape ?? {}))
    add("invalid_cursor", "page_window_exceeded");
  if (operation.method !== "GET") add("storage_full", "outcome_unknown", "concurrent_modification");
  if (operation.path.includes("{id}") && operation.method !== "GET") add("precondition_failed");
  if (changesRecord(operation)) add("precondition_required");
  if (takesIdempotencyKey(operation)) {
    add("idempotency_key_required", "idempotency_key_reused", "idempotency_in_progress");
    if (operation.secret) add("idempotency_secret_not_replayable");
  }
  if (operation.killSwitches) add("kill_switch_active");
  return [...codes].sort();
}

function operationObject(
  operation: Operation,
  capabilities: Described["capabilities"],
  schemas: Record<string, Json>,
): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.deprecated
      ? { deprecated: true, "x-sunset": operation.deprecated.sunset, "x-successor": operation.deprecated.successor }
      : {}),
    parameters: [
      ...pathParameters(operation, schemas),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
    ],
    ...(operation.body ? { requestBody: requestBody(operation, schemas) } : {}),
    responses: { [operation.success.status]: successResponse(operation, schemas), ...problemResponses(operation) },
    security: operation.access === "public" ? [] : [{ bearer: [] }],
    ...(typeof operation.access === "object" ? { "x-permission": operation.access.permission } : {}),
    ...(typeof operation.access === "object" && operation.access.capability
      ? { "x-capability": { key: operation.access.capability, name: capabilities[operation.access.capability] } }
      : {}),
    ...(operation.extension ? { "x-extension": true } : {}),
  };
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
    const { description, ...rest } = schema;
    const list = rest.type === "array" ? { style: "form", explode: false } : {};
    return { name, in: "query", required, ...(description ? { description } : {}), ...list, schema: rest };
  });
}

function headerParameters(operation: Operation): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  return [
    ...(takesIdempotencyKey(operation)
      ? [header("Idempotency-Key", "Makes a repeat give the first answer again instead of a second effect.")]
      : []),
    ...(changesRecord(operation) ? [header("If-Match", "The ETag that was read; another version answers 412.")] : []),
  ];
}

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

function requestBody(operation: Operation, schemas: Record<string, Json>): Json {
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

function successResponse(operation: Operation, schemas: Record<string, Json>): Json {
  const { schema, media = "application/json", also } = operation.success;
  return {
    description: operation.summary,
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

const HINTS = {
  description:
    'Records that may be the same thing, each with `rel="related"` and, as `by`, what it has in common with the new one. Absent when there is none.',
  schema: { type: "string" },
};

function problemResponses(operation: Operation): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const status = ERRORS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}.`).join(" "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

/** JSON Schema in OpenAPI 3.0 dialect; schemas with an id move to the components and are referred to. */
function schemaObject(schema: unknown, io: "input" | "output", schemas: Record<string, Json>): Json {
  const json = z.toJSONSchema(schema as z.ZodType, { target: "openapi-3.0", io, unrepresentable: "any" }) as Json;
  const {
    definitions,
    $defs,
    $schema: _dialect,
    ...root
  } = json as Json & { definitions?: Record<string, Json>; $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries({ ...definitions, ...$defs })) {
    const { id: _id, ...body } = definition;
    schemas[name] ??= rewritten(body) as Json;
  }
  const { id, ...body } = rewritten(root) as Json & { id?: string };
  if (id === undefined) return body;
  schemas[id] ??= body;
  return { $ref: `#/components/schemas/${id}` };
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string"
        ? inner.replace(/^#\/(?:definitions|\$defs)\//, "#/components/schemas/")
        : rewritten(inner),
    ]),
  );
}

function problemSchema(): Json {
  const text = { type: "string" };
  return {
    type: "object",
    description: "An RFC 9457 problem document; `code` is the contract.",
    required: ["type", "title", "status", "code", "detail", "requestId", "retryable"],
    properties: {
      type: text,
      title: text,
      status: { type: "integer" },
      code: { type: "string", enum: Object.keys(ERRORS).sort() },
      detail: text,
      remedy: text,
      requestId: text,
      retryable: { type: "boolean" },
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["code", "message"],
          properties: { pointer: text, parameter: text, code: text, message: text },
        },
      },
    },
    additionalProperties: true,
  };
}
