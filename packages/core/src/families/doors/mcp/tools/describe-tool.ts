import { type AgentUse, type DescribedOperation, effectOf } from "#kernel/operation/operation.js";
import { objectOf } from "#kernel/operation/tools.js";
import { takesIdempotencyKey } from "#kernel/pipeline/idempotency.js";
import type { McpOwnTool } from "#ports/mcp.js";
import { z } from "#schema/z.js";

type Json = Record<string, unknown>;

/** Moves a record to another state, or holds what has no name. Neither is for agents. */
const NOT_SENT: readonly string[] = ["status", "configuration", "attributes"];

const MEANING: Readonly<Record<AgentUse | "read", string>> = {
  read: "Reads.",
  explain: "Keeps nothing.",
  propose: "Proposes: what it adds is decided about by people.",
  request: "Requests: others decide.",
};

/** The name of a tool: letters, digits and one underscore, which all clients take. */
export const toolNameOf = ({ id }: Pick<DescribedOperation, "id">): string => id.replaceAll(".", "_");

/** The parts of a request, by the names of their parts. */
export interface Parts {
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** `undefined` where there is none. */
  readonly body: readonly string[] | undefined;
  readonly takesKey: boolean;
}

/** What a call of a tool may hold. */
export function partsOf(operation: DescribedOperation): Parts {
  return {
    params: namesOf(operation.params),
    query: namesOf(operation.query),
    body: operation.body === undefined ? undefined : namesOf(operation.body).filter((name) => !NOT_SENT.includes(name)),
    takesKey: takesIdempotencyKey(operation) && effectOf(operation) !== "read",
  };
}

function namesOf(schema: unknown): string[] {
  const object = objectOf(schema);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

const described = new WeakMap<object, McpOwnTool>();

/** An operation as a tool. Each is made once in a process. */
export function describeTool(operation: DescribedOperation, use: AgentUse | "read"): McpOwnTool {
  const known = described.get(operation) ?? describe(operation, use);
  described.set(operation, known);
  return known;
}

function describe(operation: DescribedOperation, use: AgentUse | "read"): McpOwnTool {
  const { summary, description, access } = operation;
  const needs = typeof access === "object" ? [`Needs the permission ${access.permission}.`] : [];
  const readOnlyHint = effectOf(operation) === "read";
  return {
    name: toolNameOf(operation),
    title: summary,
    description: [`${summary}.`, ...(description ? [description] : []), MEANING[use], ...needs].join(" "),
    inputSchema: inputSchemaOf(operation),
    annotations: { readOnlyHint, destructiveHint: false, idempotentHint: readOnlyHint, openWorldHint: false },
  };
}

function inputSchemaOf(operation: DescribedOperation): Json {
  const { params, query, body, takesKey } = partsOf(operation);
  const $defs: Json = {};
  const inPath = schemaOf(operation.params, params, $defs);
  const inQuery = schemaOf(operation.query, query, $defs);
  const inBody = body && schemaOf(operation.body, body, $defs);
  const isBodyOptional = operation.body?.safeParse(undefined).success ?? true;
  return {
    type: "object",
    properties: {
      ...inPath.properties,
      ...inQuery.properties,
      ...(inBody ? { body: { type: "object", ...inBody, additionalProperties: false } } : {}),
      ...(takesKey ? { idempotencyKey: KEY } : {}),
    },
    required: [...params, ...inQuery.required, ...(isBodyOptional ? [] : ["body"])],
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
}

const KEY = {
  ...{ type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  description: "A text of your own for this call. A repeat with it gives the first answer, and has no second effect.",
};

/** The properties of a part as JSON Schema 2020-12. What several refer to goes into `$defs`. */
function schemaOf(schema: unknown, names: readonly string[], $defs: Json): { properties: Json; required: string[] } {
  if (names.length === 0) return { properties: {}, required: [] };
  const object = objectOf(schema) as z.ZodType;
  const whole = z.toJSONSchema(object, { target: "draft-2020-12", io: "input", unrepresentable: "any" }) as Json;
  const { [String(whole.$ref).slice("#/$defs/".length)]: named, ...others } = (whole.$defs ?? {}) as Record<
    string,
    Json
  >;
  const made = named ?? whole;
  for (const [name, definition] of Object.entries(others)) $defs[name] = plain(definition);
  const properties = Object.entries(made.properties as Json).filter(([name]) => names.includes(name));
  const required = ((made.required as string[] | undefined) ?? []).filter((name) => names.includes(name));
  return { properties: Object.fromEntries(properties.map(([name, one]) => [name, plain(one)])), required };
}

/** Without what is no JSON Schema, and without ids, by one of which a client once took a whole list of tools to be broken. */
function plain(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isProperties || !/^(?:id|\$id|example|x-.*)$/.test(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      isValue(key, isProperties) ? inner : plain(inner, key === "properties" && !isProperties),
    ]),
  );
}

const isValue = (key: string, isProperty: boolean) =>
  !isProperty && (key === "default" || key === "const" || key === "enum");
