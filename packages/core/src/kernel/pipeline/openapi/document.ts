import type { KernelOptions } from "../../config/options.js";
import type { Operation } from "../../operation/operation.js";
import type { OperationTable } from "../../operation/table.js";
import { API_VERSION } from "../encode.js";
import { type Directions, united } from "./directions.js";
import type { Json } from "./json.js";
import { parametersOf } from "./parameters.js";
import { problemSchema } from "./problem.js";
import { problemResponses, requestBody, successResponse } from "./responses.js";
import { named } from "./schemas.js";
import { describedParameters, shareParameters, shareResponses } from "./share.js";
import { shareDescribed } from "./share-described.js";
import { shareProperties } from "./share-properties.js";
import { shareSchemas } from "./share-schemas.js";

type Described = Pick<OperationTable, "operations" | "tags" | "capabilities">;

/**
 * The OpenAPI 3.0.3 description of these operations. It is derived from the operation table. Repeated parts become
 * components. It comes in steps, because all of it takes most of a second.
 */
export function* openapiOf(
  { operations, tags, capabilities }: Described,
  options: Pick<KernelOptions, "baseUrl">,
): Generator<void, Json> {
  const directions: Directions = { input: {}, output: { Problem: problemSchema() } };
  const paths: Record<string, Record<string, Json>> = {};
  const shown = operations.filter((candidate) => !candidate.hidden);
  for (const operation of shown) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: operationObject(operation, directions) };
    yield;
  }
  const schemas = yield* united(directions, sentBy(paths));
  const used = new Set(shown.map((operation) => operation.tag));
  const responses = shareResponses(paths);
  yield;
  const parameters = shareParameters(paths);
  const said = describedParameters(paths, parameters);
  yield;
  const based = yield* shareProperties(schemas, sentIn(paths));
  const shared = yield* shareSchemas(based, said);
  const components = yield* shareDescribed(shared, said);
  return {
    openapi: "3.0.3",
    info: {
      title: "Reeve",
      version: API_VERSION,
      description:
        "Control plane for an organisation's AI estate. Where a parameter takes several values, commas part them and each may match; `\\,` stands for a comma in one. In ascending order, records without a value come last.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: options.baseUrl }],
    security: [{ bearer: [] }],
    "x-capabilities": capabilities,
    tags: Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths,
    components: {
      schemas: named(components),
      responses: named(responses),
      parameters: named(parameters),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  };
}

/** The names of the schemas of bodies. */
function sentIn(paths: Readonly<Record<string, Record<string, Json>>>): ReadonlySet<string> {
  const bodies = Object.values(paths).flatMap((path) => Object.values(path).map(({ requestBody }) => requestBody));
  const names = JSON.stringify(bodies).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return new Set([...names].map((match) => match[1] as string));
}

/** What callers send: the parameters and bodies. */
const sentBy = (paths: Readonly<Record<string, Record<string, Json>>>): Json[] =>
  Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters, requestBody }) => [
      ...(parameters as Json[]),
      ...(requestBody ? [requestBody as Json] : []),
    ]);

function operationObject(operation: Operation, { input, output }: Directions): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.deprecated
      ? { deprecated: true, "x-sunset": operation.deprecated.sunset, "x-successor": operation.deprecated.successor }
      : {}),
    parameters: parametersOf(operation, input),
    ...(operation.body ? { requestBody: requestBody(operation, input) } : {}),
    responses: { [operation.success.status]: successResponse(operation, output), ...problemResponses(operation) },
    ...(operation.access === "public" ? { security: [] } : {}),
    ...(typeof operation.access === "object" ? { "x-permission": operation.access.permission } : {}),
    ...(typeof operation.access === "object" && operation.access.capability
      ? { "x-capability": operation.access.capability }
      : {}),
    ...(operation.extension ? { "x-extension": true } : {}),
  };
}
