import { z } from "#schema/z.js";
import { invalidProperty } from "../http/errors.js";
import { refuseUnfit, runningFault } from "../http/free-values.js";
import type { JsonObject } from "../http/json-guard.js";
import { jsonPointer } from "../http/json-pointer.js";
import { isSuspectName } from "../http/secret-names.js";
import { holdsSecret } from "../http/secrets-in-text.js";
import { effectOf, type Operation } from "../operation/operation.js";
import { fieldsOf, hasOwnConfiguration } from "../records/open-body.js";

/** How the texts at one place of a body are read. `free`: any names. `none`: it holds a secret and says so, or is not kept. */
type Place = "free" | "text" | "none" | Fields;
interface Fields {
  readonly known: ReadonlyMap<string, Place>;
  readonly others: Place;
}

const compiled = new WeakMap<Operation, Place>();

/**
 * 400 where a body that is kept holds a secret or an address that runs, in a text, a free property or an address. A field
 * whose name says that it is a secret holds one, and is sealed.
 */
export function refuseUnfitBody(operation: Operation, body: JsonObject | undefined): void {
  if (body === undefined || !operation.body) return;
  const place = compiled.get(operation) ?? placeOfBody(operation);
  compiled.set(operation, place);
  look(body, place, [], "");
}

function placeOfBody(operation: Operation): Place {
  const { body, access, dialect, unkept = [] } = operation;
  if (access === "public" || dialect || effectOf(operation) === "read") return "none";
  const place = placeOf(body);
  if (typeof place === "string") return place;
  const known = new Map([...place.known, ...unkept.map((name) => [name, "none"] as const)]);
  return { ...place, known };
}

function look(value: unknown, place: Place, path: readonly PropertyKey[], name: string): void {
  if (place === "free") refuseUnfit(value, jsonPointer(path), name);
  if (place === "none" || place === "free") return;
  if (typeof value === "string") refuseText(value, path, name);
  if (typeof value !== "object" || value === null) return;
  for (const [inner, held] of Object.entries(value)) {
    const below = Array.isArray(value) || place === "text" ? place : (place.known.get(inner) ?? place.others);
    look(held, below, [...path, inner], Array.isArray(value) ? name : inner);
  }
}

function refuseText(text: string, path: readonly PropertyKey[], name: string): void {
  const fault = holdsSecret(text) ? "It holds a secret. Say where the secret is kept." : runningFault(text, name);
  if (fault !== undefined) throw invalidProperty(jsonPointer(path), fault);
}

function placeOf(schema: unknown): Place {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return placeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return placeOf(schema.element);
  if (schema instanceof z.ZodPipe) return placeOf(schema.in);
  if (schema instanceof z.ZodObject) return placesOf(schema);
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodUnion) return "free";
  return "text";
}

function placesOf(schema: z.ZodObject): Fields {
  const known = new Map(
    Object.entries(schema.shape).map(
      ([name, inner]) => [name, isSuspectName(name) ? "none" : placeOf(inner)] as [string, Place],
    ),
  );
  const others = schema.def.catchall ? "free" : "none";
  // Fields may stand in `configuration` too.
  const inside = fieldsOf(schema)?.map((name) => [name, known.get(name) ?? "free"] as const);
  if (hasOwnConfiguration(schema)) known.set("configuration", "none");
  else if (inside) known.set("configuration", { known: new Map(inside), others: "free" });
  return { known, others };
}
