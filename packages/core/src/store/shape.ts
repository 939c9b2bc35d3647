import { checkAddedFields, type WithAddedFields } from "./added-fields.js";
import type { StoredCollection, StoredRecord } from "./collection.js";
import { fail } from "./declared.js";
import { StoreError } from "./store-error.js";

type Shaped = Pick<StoredCollection<never>, "name" | "shapeVersion" | "upcasts">;

/** The version of the shape that this code writes. */
export function shapeOf({ shapeVersion = 1 }: Pick<Shaped, "shapeVersion">): number {
  return shapeVersion;
}

/** The shape of a stored row. Code that knows no marks leaves those of another version, or none. */
export function markedShape(version: number, shape: number | null, markedVersion: number | null): number {
  return shape !== null && markedVersion === version ? shape : 1;
}

/** A stored record in a later shape. One of a shape that this code does not know stays as it is. */
export function upcast(collection: Shaped, stored: object, from: number, to = shapeOf(collection)): StoredRecord {
  const { id, version, createdAt } = stored as StoredRecord;
  let record = stored;
  for (let shape = from; shape < to; shape++) {
    const step = collection.upcasts?.[shape];
    if (!step) throw unreadable(collection, id, `no upcast from shape ${shape}`);
    try {
      record = step(record as Readonly<Record<string, unknown>>);
    } catch (cause) {
      throw unreadable(collection, id, `its upcast from shape ${shape} failed`, cause);
    }
    const made = record as StoredRecord;
    if (made?.id !== id || made.version !== version || made.createdAt !== createdAt)
      throw unreadable(collection, id, `its upcast from shape ${shape} changed its id, version or createdAt`);
  }
  return record as StoredRecord;
}

function unreadable({ name }: Shaped, id: string, why: string, cause?: unknown): StoreError {
  return new StoreError("schema", `${name}: the record ${id} cannot be read: ${why}`, { cause });
}

/** Throws unless the collection can read every shape before its own, and old code cannot make its added fields wrong. */
export function checkShape(collection: Shaped & WithAddedFields): void {
  const { shapeVersion = 1, upcasts = {}, addedFields = [] } = collection;
  if (!Number.isSafeInteger(shapeVersion) || shapeVersion < 1) fail(collection, "a shape version is a number from 1");
  const from = Object.keys(upcasts).map(Number);
  const oldest = Math.min(...from, shapeVersion);
  for (let shape = oldest; shape < shapeVersion; shape++)
    if (!upcasts[shape]) fail(collection, `no upcast from shape ${shape}`);
  if (shapeVersion > 1 && oldest === shapeVersion) fail(collection, `no upcast from shape ${shapeVersion - 1}`);
  if (from.some((shape) => shape >= shapeVersion)) fail(collection, `an upcast leads past shape ${shapeVersion}`);
  if (addedFields.length > 0 && shapeVersion === 1) fail(collection, "added fields need a shape version above 1");
  checkAddedFields(collection);
}
