import { fieldValue, type StoredRecord } from "@reeve/core/store";
import { isOfRecords, type RecordWrite, type Write } from "@reeve/store-sql";

/**
 * Splits writes into batches of one statement each. Parts of a statement do not see each other's changes, so a batch
 * writes a record once and never frees and takes the same unique key. A statement sets one tenant, so a batch has one.
 */
export function batches(writes: readonly Write[]): Write[][] {
  const made: Write[][] = [];
  let batch = new Batch();
  for (const write of writes) {
    if (!batch.admits(write)) {
      made.push(batch.writes);
      batch = new Batch();
    }
    batch.add(write);
  }
  if (batch.writes.length > 0) made.push(batch.writes);
  return made;
}

class Batch {
  readonly writes: Write[] = [];
  readonly #written = new Set<string>();
  readonly #freed = new Set<string>();

  admits(write: Write): boolean {
    const [first] = this.writes;
    if (!first) return true;
    if (first.tenantId !== write.tenantId || alone(first) || alone(write)) return false;
    if (!isOfRecords(write)) return true;
    if (takesKeys(write) && this.#freed.has(write.table.name)) return false;
    return idsOf(write).every((id) => !this.#written.has(id));
  }

  add(write: Write): void {
    this.writes.push(write);
    if (!isOfRecords(write)) return;
    for (const id of idsOf(write)) this.#written.add(id);
    if (write.kind !== "insert" && (write.kind === "remove" || takesKeys(write))) this.#freed.add(write.table.name);
  }
}

/** Whether a write takes several statements and so is a batch of its own. */
function alone(write: Write): boolean {
  return write.kind === "erase" || write.kind === "prune";
}

function idsOf(write: RecordWrite): string[] {
  const records = write.kind === "insert" ? write.records : [write.previous];
  return records.map((record) => `${write.table.name}/${record.id}`);
}

/** Whether a write may take a unique key. */
function takesKeys(write: RecordWrite): boolean {
  if (write.kind === "insert") return true;
  if (write.kind === "remove") return false;
  const { collection } = write.table;
  const value = (record: StoredRecord, field: string) => fieldValue(collection, record, field);
  return Object.values(collection.unique).some((fields) =>
    fields.some((field) => value(write.next, field) !== value(write.previous, field)),
  );
}
