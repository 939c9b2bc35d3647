import type { FieldType, FieldValue, StoredCollection, StoredRecord } from "./collection.js";
import { comparable } from "./comparison.js";

/** The type of a declared field, or of `createdAt`. */
export function typeOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields">,
  field: string,
): FieldType {
  if (field === "createdAt") return "time";
  const declared = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined;
  return declared?.type ?? fail(collection, `"${field}" is not a declared field`);
}

/** A value to look for in a declared text field, or in one of another type, as the field holds it. */
export function comparedValue<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "fields">,
  name: string,
  value: FieldValue,
): FieldValue {
  const field = collection.fields[name];
  if (field?.type !== "text" || "combines" in field) return value;
  return comparable(field, value);
}

/** Throws for a programming mistake. */
export function fail(collection: { readonly name: string }, problem: string): never {
  throw new TypeError(`collection ${collection.name}: ${problem}`);
}
