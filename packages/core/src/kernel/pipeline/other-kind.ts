import { isIdOf, type StoredRecord } from "#store/collection.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { ReeveError } from "../http/errors.js";
import type { TenantState } from "../operation/gates.js";
import { effectOf, type Operation } from "../operation/operation.js";
import { ReadContext } from "../operation/read-context.js";
import { tableOf } from "../operation/table.js";
import type { Collection } from "../records/collection.js";
import { checkAccess } from "./access.js";
import type { Execution } from "./execution.js";
import { parseInput } from "./input.js";
import type { Way } from "./run.js";

type AnyRecord = StoredRecord & Readonly<Record<string, unknown>>;
type Kind = Collection<AnyRecord> & { readonly resource: NonNullable<Collection["resource"]> };

/** The kinds of record that have paths, and which of them the ids below a path are of. */
const kindsOf = defineService("kernel.kindsOfPaths", (env) => {
  const { collections } = env.use(tableOf);
  const kinds = collections.filter((one): one is Kind => one.resource !== undefined && one.prefix !== null);
  const at = (path: string) => kinds.filter((kind) => pathsOf(kind).includes(path));
  return { kinds, at };
});

const pathsOf = ({ resource }: Kind): readonly string[] => [resource.path, ...(resource.alsoAt ?? [])];

/**
 * The refusal of a request whose path has the id of a record of another kind: what it is and where it is read. A record
 * that the caller could not read there, or of another tenant, is told of as little as one that never was.
 */
export async function errorOfKind(
  env: Environment,
  execution: Execution,
  tenant: TenantState | undefined,
  error: ReeveError,
  way: Way,
): Promise<ReeveError> {
  const { operation, principal, params = {} } = execution;
  if (error.code !== "not_found" || !principal) return error;
  for (const [name, id] of Object.entries(params)) {
    const kind = strayKind(env, operation, name, id);
    const place = kind && (await placeOf(env, { ...execution, principal }, tenant, kind, id).catch(() => undefined));
    if (!place) continue;
    const { type } = kind.resource;
    const where = way === "request" ? `${place.isList ? "in" : "at"} ${place.path}` : `by ${place.operation}`;
    const detail = `${id} is ${inWords(type)}; ${place.isList ? "find" : "read"} it ${where}.`;
    return new ReeveError("not_found", detail, { members: { record: { type, id, path: place.path } }, cause: error });
  }
  return error;
}

/** The kind of an id where the path takes ids of another. */
function strayKind(env: Environment, { path }: Operation, name: string, id: string): Kind | undefined {
  const { kinds, at } = env.use(kindsOf);
  const expected = at(path.slice(0, path.indexOf(`/{${name}}`)));
  return expected.some((kind) => isIdOf(kind, id)) ? undefined : kinds.find((kind) => isIdOf(kind, id));
}

interface Place {
  readonly path: string;
  /** The id of the operation. */
  readonly operation: string;
  readonly isList: boolean;
}

/** Where the caller can read a record of its own tenant. Reading it there is tried, because only that tells. */
async function placeOf(
  env: Environment,
  { principal, facts }: Execution & { readonly principal: Principal },
  tenant: TenantState | undefined,
  kind: Kind,
  id: string,
): Promise<Place | undefined> {
  const ctx = new ReadContext(
    env,
    { ...facts, ifMatch: undefined, mayBeBehind: false },
    principal,
    env.store.forTenant(principal.tenantId),
  );
  const record = (await ctx.db.get(kind, id))?.value;
  if (!record) return undefined;
  const found = readingOf(env, kind, record);
  if (!found) return undefined;
  const { operation, params, isList } = found;
  checkAccess(env, operation, principal, tenant);
  if (!isList) await operation.handler(ctx, parseInput(operation, { params, query: {}, body: undefined }), undefined);
  return { path: filled(operation.path, params), operation: operation.id, isList };
}

/** The operation that reads a record by its id, or else one that lists it. */
function readingOf(env: Environment, kind: Kind, record: AnyRecord) {
  const reads = env.use(tableOf).operations.filter((one) => one.method === "GET" && effectOf(one) === "read");
  const paths = pathsOf(kind);
  // The list of the record that it belongs to comes before one of all, which may leave out what is over.
  const asked = [
    ...paths.map((path) => ({ path, isList: false })),
    ...paths.toReversed().map((path) => ({ path, isList: true })),
  ];
  for (const { path, isList } of asked) {
    const operation = reads.find((one) => one.path.startsWith(path) && rest(isList).test(one.path.slice(path.length)));
    const params = operation && paramsOf(env, operation, kind, record);
    if (params) return { operation, params, isList };
  }
  return undefined;
}

const rest = (isList: boolean) => (isList ? /^$/ : /^\/\{\w+\}$/);

/** The parameters of a path by which a record is reached: its own id, and those of the records it belongs to. */
function paramsOf(env: Environment, { path }: Operation, kind: Kind, record: AnyRecord) {
  const { at } = env.use(kindsOf);
  const ids = [record.id, ...(kind.related?.(record) ?? [])];
  const params: Record<string, string> = {};
  for (const [piece, name] of path.matchAll(/\/\{(\w+)\}/g)) {
    const expected = at(path.slice(0, path.indexOf(piece)));
    const id = ids.find((one) => expected.some((other) => isIdOf(other, one)));
    if (id === undefined) return undefined;
    params[name as string] = id;
  }
  return params;
}

const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_piece, name: string) => params[name] ?? "");

/** A kind as people say it: `an AI asset`. */
function inWords(type: string): string {
  const words = type.split("_").map((word) => (["ai", "mcp", "saml"].includes(word) ? word.toUpperCase() : word));
  return `${/^(?:[aeio]|mcp)/.test(type) ? "an" : "a"} ${words.join(" ")}`;
}
