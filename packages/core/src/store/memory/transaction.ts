import type { StoredCollection, StoredRecord } from "../collection.js";
import type { EventDraft } from "../event-log.js";
import { checkNew, checkSuccessor } from "../guards.js";
import { Outcome } from "../outcome.js";
import type { Purge, Purged } from "../purge.js";
import { checkPrune, checkSequences, checkSize } from "../query.js";
import type { Change, Reader, Transaction } from "../store.js";
import { StoreError } from "../store-error.js";
import { appendEvent, pruneEvents } from "./event-log.js";
import { Layer } from "./layer.js";
import { purgeRemoved, purgeTenant } from "./purge.js";
import { MemoryReader } from "./reader.js";
import { insertEntry, removeEntry, replaceEntry } from "./records.js";

/** The state of one transaction, shared by its sides in all tenants. */
export class Draft {
  readonly #layer: Layer;
  readonly #purged: string[] = [];
  readonly #broadcast = new Map<string, Set<string>>();
  #failure: { readonly cause: unknown } | undefined;
  #ended = false;
  readonly #outcome = new Outcome();

  constructor(
    private readonly base: Layer,
    private readonly onPurged: (tenantId: string) => void = () => undefined,
  ) {
    this.#layer = new Layer(base);
  }

  /** A reader of what the tenant has without this transaction. */
  committed(tenantId: string): Reader {
    return new MemoryReader(tenantId, () => this.base);
  }

  /** A reader of what the tenant has after the commit. */
  afterCommit(tenantId: string): Reader {
    return this.#outcome.reader(new MemoryReader(tenantId, () => this.base));
  }

  /** The layer of the transaction. Throws once it can no longer commit. */
  layer = (): Layer => {
    if (this.#ended) throw new StoreError("aborted", "the transaction has ended");
    this.#assertSound();
    return this.#layer;
  };

  /** Notes that nothing of the tenant is left. */
  purged(tenantId: string): void {
    this.#purged.push(tenantId);
  }

  /** Runs one write. After a rejected one the transaction can only roll back. */
  write<T>(change: (layer: Layer) => T): T {
    const layer = this.layer();
    try {
      return change(layer);
    } catch (cause) {
      this.#failure = { cause };
      throw cause;
    }
  }

  /** Notes a broadcast collection for listeners. */
  touch(tenantId: string, { name, broadcast }: Pick<StoredCollection, "name" | "broadcast">): void {
    if (!broadcast) return;
    const names = this.#broadcast.get(tenantId) ?? new Set();
    this.#broadcast.set(tenantId, names.add(name));
  }

  /** Commits, and returns the broadcast collections that it wrote, by tenant. */
  commit(): Change[] {
    this.#assertSound();
    this.base.absorb(this.#layer);
    this.#outcome.commit();
    for (const tenantId of this.#purged) this.onPurged(tenantId);
    return [...this.#broadcast].map(([tenantId, collections]) => ({ tenantId, collections }));
  }

  end(): void {
    this.#ended = true;
    this.#outcome.end();
  }

  #assertSound(): void {
    if (this.#failure) {
      throw new StoreError("aborted", "a write was rejected, so nothing is stored", { cause: this.#failure.cause });
    }
  }
}

/** A transaction in one tenant. */
export class MemoryTransaction extends MemoryReader implements Transaction {
  constructor(
    tenantId: string,
    private readonly draft: Draft,
  ) {
    super(tenantId, draft.layer);
  }

  as(tenantId: string): Transaction {
    return new MemoryTransaction(tenantId, this.draft);
  }

  committed(tenantId: string): Reader {
    return this.draft.committed(tenantId);
  }

  get afterCommit(): Reader {
    return this.draft.afterCommit(this.tenantId);
  }

  async due(at: string): Promise<void> {
    this.draft.write((layer) => layer.changeDues((dues) => dues.lowerOne(this.tenantId, at)));
  }

  async settleDue(claim: number, next: string): Promise<void> {
    this.draft.write((layer) => layer.changeDues((dues) => dues.settle(this.tenantId, claim, next)));
  }

  async insert<R extends StoredRecord>(collection: StoredCollection<R>, record: R): Promise<void> {
    await this.insertMany(collection, [record]);
  }

  async insertMany<R extends StoredRecord>(collection: StoredCollection<R>, records: readonly R[]): Promise<void> {
    this.draft.touch(this.tenantId, collection);
    this.draft.write((layer) => {
      for (const record of records) {
        checkNew(record);
        insertEntry(layer, this.tenantId, collection, record);
      }
    });
  }

  async replace<R extends StoredRecord>(collection: StoredCollection<R>, next: R, previous: R): Promise<void> {
    this.draft.touch(this.tenantId, collection);
    this.draft.write((layer) => {
      checkSuccessor(next, previous);
      replaceEntry(layer, this.tenantId, collection, next, previous);
    });
  }

  async remove<R extends StoredRecord>(collection: StoredCollection<R>, previous: R, at: string): Promise<void> {
    this.draft.touch(this.tenantId, collection);
    this.draft.write((layer) => removeEntry(layer, this.tenantId, collection, previous, at));
  }

  async append(...events: readonly EventDraft[]): Promise<void> {
    this.draft.write((layer) => {
      for (const event of events) appendEvent(layer, this.tenantId, event);
    });
  }

  async eraseEvents(sequences: readonly number[]): Promise<void> {
    this.draft.write((layer) => layer.eraseEvents(this.tenantId, new Set(checkSequences(sequences))));
  }

  async pruneEvents(upTo: number): Promise<void> {
    this.draft.write((layer) => {
      checkPrune(upTo);
      pruneEvents(layer, this.tenantId, upTo);
    });
  }

  async purge(what: Purge, size: number): Promise<Purged> {
    checkSize(size);
    if (what !== "all")
      return this.draft.write((layer) => purgeRemoved(layer, this.tenantId, what.removedThrough, size));
    const purged = this.draft.write((layer) => purgeTenant(layer, this.tenantId, size));
    if (purged.done) this.draft.purged(this.tenantId);
    return purged;
  }
}
