import type { StoredCollection, StoredRecord } from "../collection.js";
import type { EventDraft } from "../event-log.js";
import type { Transaction, Writer } from "../store.js";
import type { Layer } from "./layer.js";
import { MemoryReader } from "./reader.js";

/** Reads what is committed. Each write is a transaction of its own. */
export class MemoryWriter extends MemoryReader implements Writer {
  constructor(
    tenantId: string,
    view: () => Layer,
    private readonly transact: (work: (tx: Transaction) => Promise<void>) => Promise<void>,
  ) {
    super(tenantId, view);
  }

  insert<R extends StoredRecord>(collection: StoredCollection<R>, record: R): Promise<void> {
    return this.transact((tx) => tx.insert(collection, record));
  }

  insertMany<R extends StoredRecord>(collection: StoredCollection<R>, records: readonly R[]): Promise<void> {
    return this.transact((tx) => tx.insertMany(collection, records));
  }

  replace<R extends StoredRecord>(collection: StoredCollection<R>, next: R, previous: R): Promise<void> {
    return this.transact((tx) => tx.replace(collection, next, previous));
  }

  remove<R extends StoredRecord>(collection: StoredCollection<R>, previous: R, at: string): Promise<void> {
    return this.transact((tx) => tx.remove(collection, previous, at));
  }

  append(...events: readonly EventDraft[]): Promise<void> {
    return this.transact((tx) => tx.append(...events));
  }

  eraseEvents(sequences: readonly number[]): Promise<void> {
    return this.transact((tx) => tx.eraseEvents(sequences));
  }

  pruneEvents(upTo: number): Promise<void> {
    return this.transact((tx) => tx.pruneEvents(upTo));
  }
}
