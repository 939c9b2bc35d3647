import { fieldValue, type StoredRecord } from "@reeve/core/store";
import type { Table } from "./table.js";
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
  const deltas = new Map<string, Delta>();
  const add = (tenantId: string, collection: string, field: string, value: string, by: number) => {
    // Stored text never contains NUL.
    const key = `${tenantId}\0${collection}\0${field}\0${value}`;
    deltas.set(key, { tenantId, collection, field, value, by: by + (deltas.get(key)?.by ?? 0) });
  };
  const value = (table: Table, record: StoredRecord, field: string) => fieldValue(table.collection, record, field);
  const count = (tenantId: string, table: Table, record: StoredRecord, by: number) => {
    for (const field of table.collection.counted) {
      const counted = value(table, record, field);
      if (counted !== null) add(tenantId, table.name, field, String(counted), by);
    }
  };
  const move = (tenantId: string, table: Table, from: StoredRecord, to: StoredRecord) => {
    for (const field of table.collection.counted) {
      const [before, after] = [value(table, from, field), value(table, to, field)];
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
      for (const record of write.records) count(tenantId, table, record, 1);
    } else if (write.kind === "replace") {
      move(tenantId, table, write.previous, write.next);
    } else {
      add(tenantId, table.name, "", "", -1);
      count(tenantId, table, write.previous, -1);
    }
  }
  const changed = [...deltas].filter(([, delta]) => delta.by !== 0);
  return changed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta);
}
