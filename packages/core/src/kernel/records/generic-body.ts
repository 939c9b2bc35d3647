import { z } from "#schema/z.js";
import { invalidProperty, ReeveError } from "../http/errors.js";
import type { JsonObject } from "../http/json-guard.js";
import { isSame } from "./is-same.js";
import { shownOf } from "./outcome.js";
import { LONGEST_REASON } from "./reason.js";

/** A JSON object with any properties. */
export const AnyObject = z.record(z.string(), z.unknown());

/** The part of a `configuration` that no field has a name for. */
export const Configuration = AnyObject.meta({ description: "What `configuration` held beyond known fields." });

/** Unknown properties of bodies. */
export const Attributes = AnyObject.meta({ description: "Properties of bodies beyond known ones." });

const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

/** Display name of a record. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !CONTROLS.test(name), "A name is one line without control characters.")
  .meta({ description: "The name that people are shown.", example: "Support agent" });

/** The most bytes of each free part of a record, as JSON: metadata, configuration and attributes. */
export const METADATA_BYTES = 32 * 1024;

/** 400 when a free part of a body exceeds the limit. */
function checkFree(name: "configuration" | "attributes", part: JsonObject | undefined): void {
  const bytes = part === undefined ? 0 : Buffer.byteLength(JSON.stringify(part));
  if (bytes <= METADATA_BYTES) return;
  throw invalidProperty(`/${name}`, `Free properties may take ${METADATA_BYTES} bytes; these take ${bytes}.`);
}

/** 400 when metadata exceeds its limit. */
export function checkMetadata(metadata: object): void {
  const message = metadataFault(metadata);
  if (message !== undefined) throw invalidProperty("/metadata", message);
}

function metadataFault(metadata: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > METADATA_BYTES ? `Metadata may take ${METADATA_BYTES} bytes; this takes ${bytes}.` : undefined;
}

/** Data of other systems about a record: any properties, within the limit. */
export const Metadata = AnyObject.superRefine((metadata, ctx) => {
  const message = metadataFault(metadata);
  if (message !== undefined) ctx.addIssue({ code: "custom", message });
}).meta({ description: "Provider or business metadata." });

/** The generic body of the published API: five optional properties, and any others. */
export const GenericBody = z
  .looseObject({
    name: Name.optional(),
    status: z.string().max(64).optional().meta({ description: "State to move to." }),
    reason: z.string().max(LONGEST_REASON).optional().meta({ description: "Why, for the audit trail." }),
    metadata: Metadata.optional(),
    configuration: AnyObject.optional().meta({ description: "Fields of the resource, or the caller's own." }),
  })
  .meta({
    id: "GenericBody",
    description: "All properties are optional; additional ones are kept under `attributes`.",
  });
export type GenericBody = z.output<typeof GenericBody>;

const GENERIC = ["name", "status", "reason", "metadata", "configuration", "attributes"];

/** A generic body, split into known fields, `configuration` and other properties. */
export interface SplitBody {
  readonly fields: JsonObject;
  /** Unknown keys of `configuration`, when it was sent. */
  readonly configuration: JsonObject | undefined;
  /** Additional top-level properties, when there were any. */
  readonly attributes: JsonObject | undefined;
}

/**
 * Splits the properties of a generic body. Known fields may be at top level or inside `configuration`; top level wins.
 * Read-only properties may be sent back unchanged: `current` is the record.
 */
export function splitBody(
  body: GenericBody,
  known: readonly string[],
  readOnly: readonly string[],
  current: object = {},
): SplitBody {
  const shown = shownOf(current);
  const fields: JsonObject = {};
  const attributes: JsonObject = {};
  const configuration: JsonObject = {};
  for (const [key, value] of Object.entries(body.configuration ?? {})) {
    if (known.includes(key)) fields[key] = value;
    else configuration[key] = value;
  }
  for (const [key, value] of Object.entries(body)) {
    if (GENERIC.includes(key)) continue;
    if (known.includes(key)) fields[key] = value;
    else if (readOnly.includes(key)) requireUnchanged(key, value, shown);
    // An answer with warnings may be sent back.
    else if (key !== "warnings") attributes[key] = value;
  }
  const given = body.attributes;
  if (given !== undefined && !isObject(given)) throw new ReeveError("invalid_request", "attributes must be an object.");
  const extra = { ...(given as JsonObject | undefined), ...attributes };
  checkFree("configuration", configuration);
  checkFree("attributes", extra);
  return {
    fields,
    configuration: body.configuration === undefined ? undefined : configuration,
    attributes: given !== undefined || Object.keys(attributes).length > 0 ? extra : undefined,
  };
}

function requireUnchanged(key: string, value: unknown, shown: object): void {
  if (isSame((shown as JsonObject)[key], value)) return;
  throw new ReeveError("read_only_property", `"${key}" cannot be set.`, {
    errors: [{ pointer: `/${key}`, code: "read_only_property", message: "Read-only." }],
  });
}

/** Corrects the pointers of a refusal for known fields that were sent inside `configuration`. */
export function located(thrown: unknown, body: unknown): unknown {
  const inside = isObject(body) ? body.configuration : undefined;
  if (!ReeveError.is(thrown) || !isObject(inside)) return thrown;
  const errors = thrown.errors.map((error) => {
    const [, name = ""] = error.pointer?.split("/") ?? [];
    const moved = Object.hasOwn(inside, name) && !Object.hasOwn(body as JsonObject, name);
    return moved ? { ...error, pointer: `/configuration${error.pointer}` } : error;
  });
  const { code, detail, members, headers, cause } = thrown;
  return new ReeveError(code, detail, { errors, members, headers, cause });
}

/** JSON merge patch (RFC 7396): `null` removes, objects merge, all else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
