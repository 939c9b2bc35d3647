import { type ColumnValues, type FieldValue, fieldValue, type StoredRecord } from "@reeve/core/store";
import type { Table } from "../schema/table.js";
import { isOfRecords, type Write } from "./write.js";

/** A change of one counter. The total of a collection has the field and value `""`. */
export interface Delta {
  readonly tenantId: string;
  readonly collection: string;
  readonly field: string;
  readonly value: string;
  readonly by: number;
}

/**
 * The changes that writes make to counters: one delta per counter, sorted by key so that locks are always taken in one
 * order.
 */
export function counterDeltas(writes: readonly Write[]): Delta[] {
  const deltas = new Map<string, Delta & { by: number }>();
  const add = (tenantId: string, collection: string, field: string, value: string, by: number) => {
    // Stored text never contains NUL.
    const key = `${tenantId}\0${collection}\0${field}\0${value}`;
    const known = deltas.get(key);
    if (known) known.by += by;
    else deltas.set(key, { tenantId, collection, field, value, by });
  };
  const value = (table: Table, record: StoredRecord, field: string) => fieldValue(table.collection, record, field);
  /** Counts the records of one insert by value first, because most of them share few values. */
  const countNew = (tenantId: string, { name, collection }: Table, all: readonly ColumnValues[]) => {
    for (const field of collection.counted) {
      const counts = new Map<FieldValue, number>();
      for (const values of all) {
        const counted = values[field] ?? null;
        if (counted !== null) counts.set(counted, (counts.get(counted) ?? 0) + 1);
      }
      for (const [counted, by] of counts) add(tenantId, name, field, String(counted), by);
    }
  };
  const discount = (tenantId: string, table: Table, record: StoredRecord) => {
    for (const field of table.collection.counted) {
      const counted = value(table, record, field);
      if (counted !== null) add(tenantId, table.name, field, String(counted), -1);
    }
  };
  const move = (tenantId: string, table: Table, from: StoredRecord, to: ColumnValues) => {
    for (const field of table.collection.counted) {
      const [before, after] = [value(table, from, field), to[field] ?? null];
      if (before === after) continue;
      if (before !== null) add(tenantId, table.name, field, String(before), -1);
      if (after !== null) add(tenantId, table.name, field, String(after), 1);
    }
  };
  for (const write of writes) {
    if (!isOfRecords(write)) continue;
    const { tenantId, table } = write;
    if (write.kind === "insert") {
      add(tenantId, table.name, "", "", write.records.length);
      countNew(tenantId, table, write.values);
    } else if (write.kind === "replace") {
      move(tenantId, table, write.previous, write.values);
    } else {
      add(tenantId, table.name, "", "", -1);
      discount(tenantId, table, write.previous);
    }
  }
  const changed = [...deltas].filter(([, delta]) => delta.by !== 0);
  return changed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta);
}
