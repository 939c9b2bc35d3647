import { fieldValue, type StoredRecord } from "#store/collection.js";
import type { EventDraft } from "#store/event-log.js";
import type { Transaction } from "#store/store.js";
import type { Collection } from "../../records/collection.js";

// biome-ignore lint/suspicious/noExplicitAny: writes of different collections stand in one list
export type AnyCollection = Collection<any>;

/**
 * When writes go to the store. `together`: in the end, after it was asked which unique keys are taken, so that the
 * inputs to blame are known. `ahead`: as inputs are finished, so that a database works meanwhile; a taken key fails the
 * whole transaction.
 */
export type Sends = "together" | "ahead";

/** A write that has not been sent to the store yet. */
export type HeldWrite =
  | { readonly kind: "insert"; readonly collection: AnyCollection; readonly record: StoredRecord }
  | {
      readonly kind: "replace";
      readonly collection: AnyCollection;
      readonly next: StoredRecord;
      readonly previous: StoredRecord;
    }
  | {
      readonly kind: "remove";
      readonly collection: AnyCollection;
      readonly previous: StoredRecord;
      readonly at: string;
    }
  | { readonly kind: "append"; readonly events: readonly EventDraft[] };

type Change = Exclude<HeldWrite, { readonly kind: "insert" | "append" }>;

/** Writes that can be sent in this order: inserts by collection first, then changes. */
interface Stage {
  readonly inserts: Map<AnyCollection, StoredRecord[]>;
  readonly changes: Change[];
  /** Collections in which a unique key may have been freed. */
  readonly freed: Set<AnyCollection>;
}

/** Sends writes in the fewest calls: one for the inserts of each collection, and one for all events. */
export async function sendWrites(tx: Transaction, writes: readonly HeldWrite[]): Promise<void> {
  for (const { inserts, changes } of stagesOf(writes)) {
    for (const [collection, records] of inserts) await tx.insertMany(collection, records);
    for (const write of changes) {
      if (write.kind === "replace") await tx.replace(write.collection, write.next, write.previous);
      else await tx.remove(write.collection, write.previous, write.at);
    }
  }
  const events = writes.flatMap((write) => (write.kind === "append" ? write.events : []));
  if (events.length > 0) await tx.append(...events);
}

/**
 * A new stage starts where an insert may need a unique key that an earlier write frees. Other inserts can come first.
 */
function stagesOf(writes: readonly HeldWrite[]): Stage[] {
  let stage: Stage = { inserts: new Map(), changes: [], freed: new Set() };
  const stages = [stage];
  for (const write of writes) {
    if (write.kind === "append") continue;
    const { collection } = write;
    if (write.kind === "insert") {
      if (stage.freed.has(collection)) {
        stage = { inserts: new Map(), changes: [], freed: new Set() };
        stages.push(stage);
      }
      const records = stage.inserts.get(collection);
      if (records) records.push(write.record);
      else stage.inserts.set(collection, [write.record]);
    } else {
      stage.changes.push(write);
      if (write.kind === "remove" || changesKeys(write)) stage.freed.add(collection);
    }
  }
  return stages;
}

function changesKeys({ collection, next, previous }: Extract<Change, { readonly kind: "replace" }>): boolean {
  const fields = Object.values(collection.unique).flat();
  return fields.some((field) => fieldValue(collection, next, field) !== fieldValue(collection, previous, field));
}
