import type { FieldType, StoredCollection, StoredRecord } from "./collection.js";

/** The type of a declared field, or of `createdAt`. */
export function typeOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields">,
  field: string,
): FieldType {
  if (field === "createdAt") return "time";
  const declared = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined;
  return declared?.type ?? fail(collection, `"${field}" is not a declared field`);
}

/** Throws for a programming mistake. */
export function fail(collection: { readonly name: string }, problem: string): never {
  throw new TypeError(`collection ${collection.name}: ${problem}`);
}
