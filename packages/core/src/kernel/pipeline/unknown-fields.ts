import { nearName } from "#names/near-name.js";
import { z } from "#schema/z.js";
import { ReeveError } from "../http/errors.js";
import type { JsonObject } from "../http/json-guard.js";
import { jsonPointer } from "../http/json-pointer.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import { fieldsOf, namesFrom } from "../records/open-body.js";
import { TENANT_HINTS } from "./input.js";

/** An unknown property of a body, and the known names at its place. */
export interface UnknownField {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

/** A likely mistake in an accepted body. */
export interface BodyWarning {
  /** JSON Pointer (RFC 6901) into the body. */
  readonly pointer: string;
  readonly message: string;
}

/** What of an operation decides on the names of its body. */
type Taking = Pick<Operation, "body" | "openBody" | "success" | "dialect">;

/** The known names at one place of a body, with those below each; `undefined` where any name is allowed. */
type Names = ReadonlyMap<string, Names | undefined>;

const NONE: readonly UnknownField[] = [];
/** Unknown properties that one answer names: each is compared with every known name. */
const MOST = 100;
const compiled = new WeakMap<Taking, Names | null>();

/** Whether the body of an operation may hold unknown properties. */
export function takesUnknown(operation: Taking): boolean {
  return namesKept(operation) !== null;
}

/** The unknown properties of a body at every depth, except where any name is allowed: the first 100. */
export function unknownFields(operation: Taking, body: JsonObject | undefined): readonly UnknownField[] {
  const names = body && namesKept(operation);
  if (!names) return NONE;
  const found: UnknownField[] = [];
  collect(body, names, [], found);
  return found.length === 0 ? NONE : found;
}

/** 400 that names each of these fields, with the name that may have been meant, where the tenant refuses them. */
export function refuseUnknownFields({ tenant }: Pick<RequestFacts, "tenant">, fields: readonly UnknownField[]): void {
  if (fields.length === 0 || !tenant?.strictBodies) return;
  throw new ReeveError(
    "invalid_request",
    "The tenant's setting `strictBodies` refuses unknown properties. Keep your own in `attributes` or `metadata`.",
    {
      errors: fields.map((field) => ({
        pointer: jsonPointer(field.path),
        code: "invalid_request",
        message: messageOf(field),
      })),
    },
  );
}

function messageOf({ path, known }: UnknownField): string {
  const meant = nearName(String(path.at(-1)), known);
  return meant === undefined ? "Unknown property." : `Unknown property; did you mean "${meant}"?`;
}

/** A warning for each field whose name is close to a known one. */
export function nearMisses(fields: readonly UnknownField[]): readonly BodyWarning[] {
  return fields.flatMap(({ path, known }) => {
    const meant = nearName(String(path.at(-1)), known);
    if (meant === undefined) return [];
    return [{ pointer: jsonPointer(path), message: messageOf({ path, known }) }];
  });
}

function collect(value: unknown, names: Names, path: readonly PropertyKey[], found: UnknownField[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (found.length === MOST) return;
    // The names of a list are those of its items.
    const below = Array.isArray(value) ? names : names.get(name);
    if (below) collect(inner, below, [...path, name], found);
    else if (!names.has(name)) found.push({ path: [...path, name], known: [...names.keys()] });
  }
}

function namesKept(operation: Taking): Names | null {
  const kept = compiled.get(operation);
  if (kept !== undefined) return kept;
  const names = namesOf(operation);
  compiled.set(operation, names);
  return names;
}

/** The names of the body, and of the answer, which may be sent back; `null` for a closed body, and for one of others. */
function namesOf({ body, openBody, success, dialect }: Taking): Names | null {
  const names = body && !openBody && !dialect && namesIn(body, true);
  if (!names) return null;
  const shown = success.schema instanceof z.ZodObject ? Object.keys(success.schema.shape) : [];
  const passed = [...TENANT_HINTS, ...shown, "warnings"].map((name) => [name, undefined] as const);
  return new Map([...passed, ...names]);
}

function namesIn(schema: unknown, isRoot = false): Names | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return namesIn(schema.unwrap(), isRoot);
  if (schema instanceof z.ZodArray) return namesIn(namesFrom(schema.element));
  if (!(schema instanceof z.ZodObject)) return undefined;
  const { catchall } = schema.def;
  const fields = fieldsOf(schema);
  // Open objects below the root take any name.
  if (catchall instanceof z.ZodUnknown && !isRoot && !fields) return undefined;
  const names = new Map(Object.entries(schema.shape).map(([name, inner]) => [name, namesIn(inner)]));
  if (fields) names.set("configuration", new Map(fields.map((name) => [name, names.get(name)])));
  const isClosed = catchall instanceof z.ZodNever && ![...names.values()].some((below) => below);
  return isClosed ? undefined : names;
}
