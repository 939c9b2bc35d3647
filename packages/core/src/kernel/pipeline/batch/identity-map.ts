import { type FieldValue, fieldValue, type StoredRecord } from "#store/collection.js";
import type { Row } from "#store/row.js";
import type { AnyCollection } from "./held-writes.js";

type AnyRow = Row<StoredRecord>;

/** The values of a unique key of a record. `undefined` when one is `null`, because the key then does not apply. */
export function keyValues(
  collection: AnyCollection,
  key: string,
  record: StoredRecord,
): Record<string, FieldValue> | undefined {
  const values: Record<string, FieldValue> = {};
  for (const field of collection.unique[key] ?? []) {
    const value = fieldValue(collection, record, field);
    if (value === null) return undefined;
    values[field] = value;
  }
  return values;
}

/**
 * What a transaction knows of one tenant's records: by id, by unique key, and their number. `null` means known to be
 * absent, `undefined` not read yet. Changes can be undone; reads stay.
 */
export class IdentityMap {
  readonly #rows = new Map<string, AnyRow | null>();
  readonly #holders = new Map<string, string | null>();
  readonly #totals = new Map<string, number>();
  readonly #learned = new Map<string, number>();
  #undoLog: (() => void)[] = [];

  row({ name }: AnyCollection, id: string): AnyRow | null | undefined {
    return this.#rows.get(`${name}/${id}`);
  }

  /** The id of the record that holds a key. */
  holder(collection: AnyCollection, key: string, values: Readonly<Record<string, FieldValue>>) {
    return this.#holders.get(slotOf(collection, key, values));
  }

  total({ name }: AnyCollection): number | undefined {
    return this.#totals.get(name);
  }

  learnRow({ name }: AnyCollection, id: string, row: AnyRow | null): void {
    this.#rows.set(`${name}/${id}`, row);
  }

  learnHolder(
    collection: AnyCollection,
    key: string,
    values: Readonly<Record<string, FieldValue>>,
    id: string | null,
  ): void {
    this.#holders.set(slotOf(collection, key, values), id);
  }

  learnTotal({ name }: AnyCollection, count: number): void {
    this.#totals.set(name, count);
    this.#learned.set(name, count);
  }

  /** By how many records each collection has grown since its total was read. */
  grown(): Map<string, number> {
    return new Map([...this.#learned].map(([name, count]) => [name, (this.#totals.get(name) ?? count) - count]));
  }

  changeRow({ name }: AnyCollection, id: string, row: AnyRow | null): void {
    this.#change(this.#rows, `${name}/${id}`, row);
  }

  changeHolder(
    collection: AnyCollection,
    key: string,
    values: Readonly<Record<string, FieldValue>>,
    id: string | null,
  ): void {
    this.#change(this.#holders, slotOf(collection, key, values), id);
  }

  changeTotal({ name }: AnyCollection, by: number): void {
    const count = this.#totals.get(name);
    if (count !== undefined) this.#change(this.#totals, name, count + by);
  }

  /** Makes later changes undoable, and earlier ones final. */
  mark(): void {
    this.#undoLog = [];
  }

  undo(): void {
    for (const undo of this.#undoLog.splice(0).reverse()) undo();
  }

  #change<T>(map: Map<string, T>, slot: string, value: T): void {
    const before = map.get(slot);
    map.set(slot, value);
    this.#undoLog.push(() => (before === undefined ? map.delete(slot) : map.set(slot, before)));
  }
}

function slotOf({ name, unique }: AnyCollection, key: string, values: Readonly<Record<string, FieldValue>>): string {
  return JSON.stringify([name, key, ...(unique[key] ?? []).map((field) => values[field])]);
}
