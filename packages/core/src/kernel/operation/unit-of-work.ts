import type { StoredRecord } from "../../store/collection.js";
import type { EventDraft } from "../../store/event-log.js";
import type { Change, Reader, Transaction } from "../../store/store.js";
import type { Collection } from "../records/collection.js";
import type { Wanted } from "../records/key-holder.js";
import { TransactionReader } from "../records/transaction-reader.js";

type Written = Map<string, Set<string>>;

/**
 * The writes of a transaction in one tenant. Every write of a context passes here and is noted, so that caches hear of
 * all of them. Units of other tenants in the same transaction share these notes.
 */
export class UnitOfWork {
  readonly reader: Reader;
  /** Records that were to be stored, for refusals that name the holder of their unique key. */
  readonly wanted: Wanted[] = [];
  readonly #written: Written;
  readonly #committed = new Map<string, Reader>();

  constructor(
    readonly tx: Transaction,
    written: Written = new Map(),
  ) {
    this.#written = written;
    this.reader = new TransactionReader(tx);
  }

  /** The same transaction in another tenant. */
  on(tenantId: string): UnitOfWork {
    return this.through(this.tx.as(tenantId));
  }

  /** The reader of what another tenant has committed: one per tenant. */
  committed(tenantId: string): Reader {
    const known = this.#committed.get(tenantId) ?? this.tx.committed(tenantId);
    this.#committed.set(tenantId, known);
    return known;
  }

  /** The same unit through a transaction that wraps this one. */
  through(tx: Transaction): UnitOfWork {
    return new UnitOfWork(tx, this.#written);
  }

  insert<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<void> {
    this.wanted.push({ collection, record });
    this.#mark(collection.name);
    return this.tx.insert(collection, record);
  }

  insertMany<R extends StoredRecord>(collection: Collection<R>, records: readonly R[]): Promise<void> {
    this.#mark(collection.name);
    return this.tx.insertMany(collection, records);
  }

  replace<R extends StoredRecord>(collection: Collection<R>, next: R, previous: R): Promise<void> {
    this.#mark(collection.name);
    return this.tx.replace(collection, next, previous);
  }

  remove<R extends StoredRecord>(collection: Collection<R>, record: R, at: string): Promise<void> {
    this.#mark(collection.name);
    return this.tx.remove(collection, record, at);
  }

  append(event: EventDraft): Promise<void> {
    return this.tx.append(event);
  }

  eraseEvents(sequences: readonly number[]): Promise<void> {
    return this.tx.eraseEvents(sequences);
  }

  pruneEvents(upTo: number): Promise<void> {
    return this.tx.pruneEvents(upTo);
  }

  /** Whether this unit's tenant has written the collection. */
  hasWritten({ name }: Pick<Collection, "name">): boolean {
    return this.#written.get(this.tx.tenantId)?.has(name) ?? false;
  }

  /** What was written, in all tenants. */
  changes(): readonly Change[] {
    return [...this.#written].map(([tenantId, collections]) => ({ tenantId, collections }));
  }

  #mark(name: string): void {
    const names = this.#written.get(this.tx.tenantId);
    if (names) names.add(name);
    else this.#written.set(this.tx.tenantId, new Set([name]));
  }
}
