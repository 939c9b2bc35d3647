import {
  type ColumnValues,
  checkNew,
  checkPrune,
  checkSequences,
  checkSuccessor,
  columnValues,
  type EventDraft,
  type StoredCollection,
  type StoredRecord,
  StoreError,
} from "@reeve/core/store";
import { type Table, tableOf } from "../schema/table.js";

/** One write of a transaction. */
export type Write = RecordWrite | EventWrite | DueWrite;

/** A write of records. The type of the record is erased, because a store needs only columns. */
export type RecordWrite =
  | {
      readonly kind: "insert";
      readonly tenantId: string;
      readonly table: Table;
      readonly records: readonly StoredRecord[];
      /** The checked columns of each record. */
      readonly values: readonly ColumnValues[];
    }
  | {
      readonly kind: "replace";
      readonly tenantId: string;
      readonly table: Table;
      readonly next: StoredRecord;
      /** The checked columns of `next`. */
      readonly values: ColumnValues;
      readonly previous: StoredRecord;
    }
  | {
      readonly kind: "remove";
      readonly tenantId: string;
      readonly table: Table;
      readonly previous: StoredRecord;
      readonly at: string;
    };

/** A write of the event log. */
export type EventWrite =
  | { readonly kind: "append"; readonly tenantId: string; readonly events: readonly EventDraft[] }
  | { readonly kind: "erase"; readonly tenantId: string; readonly sequences: readonly number[] }
  | { readonly kind: "prune"; readonly tenantId: string; readonly upTo: number };

/** A write of when the tenant has something due. */
export type DueWrite =
  | { readonly kind: "due"; readonly tenantId: string; readonly at: string }
  | { readonly kind: "settle"; readonly tenantId: string; readonly claim: number; readonly next: string };

export function isOfRecords(write: Write): write is RecordWrite {
  return "table" in write;
}

export function insertWrite<R extends StoredRecord>(
  tenantId: string,
  collection: StoredCollection<R>,
  records: readonly R[],
): Write {
  const values = records.map((record) => {
    checkNew(record);
    return columnValues(collection, record);
  });
  return { kind: "insert", tenantId, table: erased(collection), records, values };
}

export function replaceWrite<R extends StoredRecord>(
  tenantId: string,
  collection: StoredCollection<R>,
  next: R,
  previous: R,
): Write {
  checkSuccessor(next, previous);
  const values = columnValues(collection, next);
  return { kind: "replace", tenantId, table: erased(collection), next, values, previous };
}

export function removeWrite<R extends StoredRecord>(
  tenantId: string,
  collection: StoredCollection<R>,
  previous: R,
  at: string,
): Write {
  return { kind: "remove", tenantId, table: erased(collection), previous, at };
}

export function eraseWrite(tenantId: string, sequences: readonly number[]): Write {
  return { kind: "erase", tenantId, sequences: checkSequences(sequences) };
}

export function pruneWrite(tenantId: string, upTo: number): Write {
  checkPrune(upTo);
  return { kind: "prune", tenantId, upTo };
}

/** The streams of an event as stored with it. Pruning uses them. */
export function streamsText({ streams }: EventDraft): string {
  return JSON.stringify([...new Set(streams)]);
}

/** The error of a replace or remove whose previous version is not the stored one. */
export function staleError(table: string): StoreError {
  return new StoreError("stale", `${table}: the stored version is another one`);
}

/** The error of an insert or replace whose key is taken. */
export function duplicateError(table: string, key: string, cause: unknown): StoreError {
  return new StoreError("duplicate", `${table}: ${key} is taken`, { key, cause });
}

function erased<R extends StoredRecord>(collection: StoredCollection<R>): Table {
  return tableOf(collection) as unknown as Table;
}
