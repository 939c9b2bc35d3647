import type { FieldValue, StoredCollection, StoredRecord } from "../collection.js";
import { columnValues } from "../column.js";
import { foldText } from "../comparison.js";
import { recordText } from "../row.js";
import { shapeOf, upcast } from "../shape.js";
import { StoreError } from "../store-error.js";
import type { Entry, Layer } from "./layer.js";

/** Adds a new record with its id and unique keys. */
export function insertEntry<R extends StoredRecord>(
  layer: Layer,
  tenantId: string,
  collection: StoredCollection<R>,
  record: R,
): void {
  const entry = entryOf(tenantId, collection, record);
  claim(layer, collection, entry, "id", idKey(collection, tenantId, record.id));
  claimKeys(layer, collection, entry);
  layer.put(collection.name, entry);
}

/** Replaces the stored version by the next. */
export function replaceEntry<R extends StoredRecord>(
  layer: Layer,
  tenantId: string,
  collection: StoredCollection<R>,
  next: R,
  previous: R,
): void {
  releaseKeys(layer, collection, stored(layer, tenantId, collection, previous));
  const entry = entryOf(tenantId, collection, next);
  claimKeys(layer, collection, entry);
  layer.put(collection.name, entry);
}

/** Hides the stored version from every read. */
export function removeEntry<R extends StoredRecord>(
  layer: Layer,
  tenantId: string,
  collection: StoredCollection<R>,
  previous: R,
  at: string,
): void {
  const entry = stored(layer, tenantId, collection, previous);
  releaseKeys(layer, collection, entry);
  if (!collection.retain) layer.hold(idKey(collection, tenantId, previous.id), null);
  layer.put(collection.name, { ...entry, removedAt: at, ...(collection.retain ? {} : { gone: true }) });
}

/** The key of an id's holder. An id is unique in the same scope as the collection's unique keys. */
export function idKey<R extends StoredRecord>(collection: StoredCollection<R>, tenantId: string, id: string): string {
  return JSON.stringify(["id", collection.name, reach(collection, tenantId, "id"), id]);
}

/** The key of a unique key's holder; `undefined` when it contains `null` and so does not apply. */
export function uniqueKey<R extends StoredRecord>(
  collection: StoredCollection<R>,
  tenantId: string,
  name: string,
  values: Readonly<Record<string, FieldValue>>,
): string | undefined {
  const held = (collection.unique[name] ?? []).map((field) => values[field] ?? null);
  if (held.includes(null)) return undefined;
  return JSON.stringify(["unique", collection.name, reach(collection, tenantId, name), name, ...held]);
}

/** The tenant within which a key holds; `null` where it holds across tenants. */
function reach<R extends StoredRecord>(collection: StoredCollection<R>, tenantId: string, key: string): string | null {
  return collection.scope === "platform" && !collection.uniqueInTenant.includes(key) ? null : tenantId;
}

function stored<R extends StoredRecord>(
  layer: Layer,
  tenantId: string,
  collection: StoredCollection<R>,
  previous: R,
): Entry {
  const found = layer.entry(collection.name, tenantId, previous.id);
  const entry = found && currentEntry(collection, found);
  if (!entry || entry.removedAt !== null || entry.version !== previous.version) {
    throw new StoreError("stale", `${collection.name}: the stored version is another one`);
  }
  checkPrevious(collection, entry, previous);
  return entry;
}

/** The SQL stores update counters from `previous`. This check makes a wrong one visible. */
function checkPrevious<R extends StoredRecord>(collection: StoredCollection<R>, entry: Entry, previous: R): void {
  for (const [name, value] of Object.entries(columnValues(collection, previous))) {
    if (value !== entry.values[name])
      throw new TypeError(`${collection.name}: previous is not what is stored: "${name}"`);
  }
}

function claimKeys<R extends StoredRecord>(layer: Layer, collection: StoredCollection<R>, entry: Entry): void {
  for (const name of Object.keys(collection.unique)) {
    const key = uniqueKey(collection, entry.tenantId, name, { ...entry.values, createdAt: entry.createdAt });
    if (key !== undefined) claim(layer, collection, entry, name, key);
  }
}

function claim<R extends StoredRecord>(
  layer: Layer,
  collection: StoredCollection<R>,
  entry: Entry,
  name: string,
  key: string,
): void {
  if (layer.holder(key)) throw new StoreError("duplicate", `${collection.name}: ${name} is taken`, { key: name });
  layer.hold(key, { tenantId: entry.tenantId, id: entry.id });
}

function releaseKeys<R extends StoredRecord>(layer: Layer, collection: StoredCollection<R>, entry: Entry): void {
  for (const name of Object.keys(collection.unique)) {
    const key = uniqueKey(collection, entry.tenantId, name, { ...entry.values, createdAt: entry.createdAt });
    if (key !== undefined) layer.hold(key, null);
  }
}

const reshaped = new WeakMap<Entry, Map<number, Entry>>();

/** The entry in the shape of the collection, made once. One of a newer shape stays as it is. */
export function currentEntry<R extends StoredRecord>(collection: StoredCollection<R>, entry: Entry): Entry {
  const shape = shapeOf(collection);
  if (entry.shape >= shape) return entry;
  const known = reshaped.get(entry) ?? new Map<number, Entry>();
  reshaped.set(entry, known);
  let current = known.get(shape);
  if (!current) {
    const record = upcast(collection, JSON.parse(entry.text), entry.shape) as R;
    current = { ...entryOf(entry.tenantId, collection, record), removedAt: entry.removedAt };
    known.set(shape, current);
  }
  return current;
}

function entryOf<R extends StoredRecord>(tenantId: string, collection: StoredCollection<R>, record: R): Entry {
  return {
    tenantId,
    id: record.id,
    version: record.version,
    text: recordText(record),
    staleAt: collection.staleAt?.(record) ?? null,
    createdAt: record.createdAt,
    values: columnValues(collection, record),
    searchable: collection.search ? foldText(collection.search(record)) : "",
    removedAt: null,
    shape: shapeOf(collection),
  };
}
