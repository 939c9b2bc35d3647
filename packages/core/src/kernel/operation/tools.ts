import { z } from "#schema/z.js";
import { type AgentUse, type DescribedOperation, effectOf } from "./operation.js";

/** The verbs of writes that may be for agents. Each other one is refused, whatever it is. */
const VERBS = /\.(?:create|submit|request[A-Z][a-z]+|comment)$/;
/** The actions of their permissions. All others decide or give something out. */
const ACTIONS = /:(?:read|write|request|comment)$/;

type Facts = DescribedOperation;

/**
 * What an operation is as a tool of Reeve's own MCP server; `undefined` of one that is none. A read of a tenant is one by itself. All
 * else is none unless its declaration says so, whatever the host sets.
 */
export function toolUse(operation: Facts): AgentUse | "read" | undefined {
  if (!isOrdinary(operation)) return undefined;
  if (operation.agents !== undefined) return toolMistakes(operation).length === 0 ? operation.agents : undefined;
  return operation.method === "GET" && effectOf(operation) === "read" && typeof operation.access === "object"
    ? "read"
    : undefined;
}

/** JSON for one tenant by a token, over the API itself, and without a secret. */
function isOrdinary(operation: Facts): boolean {
  const { access, success, mount, secret, deprecated, hidden, identify, dialect, takes, ofPage, endsToken } = operation;
  if (access === "public" || (typeof access === "object" && access.provider)) return false;
  if (mount || secret || deprecated || hidden || identify || dialect || takes || ofPage || endsToken) return false;
  return success.media === undefined && success.schema !== undefined;
}

/** Why an operation may not be marked as one for agents; empty where it may. */
export function toolMistakes(operation: Facts): string[] {
  const { id, method, agents, access, stops } = operation;
  if (agents === undefined) return [];
  const reads = effectOf(operation) === "read";
  const mistakes = [
    [!isOrdinary(operation), "is no ordinary operation of a tenant"],
    [method !== "GET" && method !== "POST" && method !== "PATCH", "replaces or deletes"],
    [!reads && !VERBS.test(id), "has a verb that is no proposing or requesting"],
    [typeof access === "object" && !ACTIONS.test(access.permission), "takes a permission to decide"],
    [access === "signed-in" && !reads, "takes no permission"],
    [agents === "explain" ? !reads : effectOf(operation) !== "write", `has another effect than "${agents}"`],
    [stops === true, "takes something out of use"],
    [operation.body !== undefined && !(objectOf(operation.body) instanceof z.ZodObject), "has a body of unknown names"],
  ] as const;
  return mistakes.flatMap(([wrong, why]) => (wrong ? [`is not for agents: it ${why}`] : []));
}

/** The object in a schema that may be left out. */
export function objectOf(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner;
}
