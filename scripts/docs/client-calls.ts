import type { Operation } from "@reeve/core/reference";
import { clientCall } from "../../packages/reference-page/src/client-calls.mjs";
import { openapiDocument } from "./openapi.js";

/** The call of `@reeve/client` for each operation id. Operations outside the OpenAPI document have none. */
export function clientCalls(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const document = openapiDocument();
  const paths = document.paths as Record<string, Record<string, unknown>>;
  const described = operations.filter(({ method, path }) => paths[path]?.[method.toLowerCase()]);
  return new Map(described.map(({ id, method, path }) => [id, clientCall(document, path, method.toLowerCase())]));
}
