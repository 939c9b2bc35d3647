import type { StoredRecord } from "#store/collection.js";
import type { EventDraft } from "#store/event-log.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { Change, Reader, Transaction } from "#store/store.js";
import { chunksOf } from "../async/in-chunks.js";
import type { Environment } from "../config/environment.js";
import type { Collection } from "../records/collection.js";
import type { Wanted } from "../records/key-holder.js";
import { TransactionReader } from "../records/transaction-reader.js";
import { type DueRules, dueRules, type MadeDue } from "./dues.js";
import { firstDues } from "./first-dues.js";

type Written = Map<string, Set<string>>;

/** Records that are written in one statement, and in one turn of the event loop. */
const WRITTEN_AT_ONCE = 50;

/** What a transaction notes of its writes, for all its units. */
class Notes {
  /** What was written, even if a part of it was undone. */
  readonly written: Written = new Map();
  /** What was written since a part was undone, so that it will be stored. */
  readonly kept: Written = new Map();
  /** The earliest due time that the store was told of each tenant, since a part was undone. */
  readonly dues = new Map<string, string>();

  mark(tenantId: string, name: string): void {
    for (const noted of [this.written, this.kept]) {
      const names = noted.get(tenantId);
      if (names) names.add(name);
      else noted.set(tenantId, new Set([name]));
    }
  }
}

/**
 * The writes of a transaction in one tenant. Every write of a context passes here and is noted, so that caches hear of
 * all of them. Units of other tenants in the same transaction share these notes.
 */
export class UnitOfWork {
  readonly reader: Reader;
  /** Records that were to be stored, for refusals that name the holder of their unique key. */
  readonly wanted: Wanted[] = [];
  readonly #committed = new Map<string, Reader>();

  constructor(
    readonly tx: Transaction,
    private readonly env?: Environment,
    private readonly notes = new Notes(),
  ) {
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
    return new UnitOfWork(tx, this.env, this.notes);
  }

  async insert<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<void> {
    this.wanted.push({ collection, record });
    this.#mark(collection.name);
    await this.tx.insert(collection, record);
    await this.#due((rules, env) => rules.ofRecord(env, collection, record));
  }

  async insertMany<R extends StoredRecord>(collection: Collection<R>, records: readonly R[]): Promise<void> {
    this.#mark(collection.name);
    const yielder = new EventLoopYielder();
    for (const some of chunksOf(records, WRITTEN_AT_ONCE)) {
      if (yielder.isDue) await yielder.pass();
      await this.tx.insertMany(collection, some);
    }
    for (const record of records) await this.#due((rules, env) => rules.ofRecord(env, collection, record));
  }

  async replace<R extends StoredRecord>(collection: Collection<R>, next: R, previous: R): Promise<void> {
    this.wanted.push({ collection, record: next });
    this.#mark(collection.name);
    await this.tx.replace(collection, next, previous);
    await this.#due((rules, env) => rules.ofRecord(env, collection, next));
  }

  async remove<R extends StoredRecord>(collection: Collection<R>, record: R, at: string): Promise<void> {
    this.#mark(collection.name);
    await this.tx.remove(collection, record, at);
    await this.#due((rules, env) => rules.ofRemoval(env, collection));
  }

  async append(event: EventDraft): Promise<void> {
    await this.tx.append(event);
    const due = this.#due((rules, env) => rules.ofEvent(env, this.tx.tenantId));
    if (due) await due;
  }

  eraseEvents(sequences: readonly number[]): Promise<void> {
    return this.tx.eraseEvents(sequences);
  }

  pruneEvents(upTo: number): Promise<void> {
    return this.tx.pruneEvents(upTo);
  }

  /** Call when a part of the transaction was undone: what is written and told once is then done again. */
  forgetUndone(): void {
    this.notes.kept.clear();
    this.notes.dues.clear();
  }

  /** Whether this unit's tenant has written the collection. After a part was undone it may say no although it has. */
  hasWritten({ name }: Pick<Collection, "name">): boolean {
    return this.notes.kept.get(this.tx.tenantId)?.has(name) ?? false;
  }

  /** What was written, in all tenants. */
  changes(): readonly Change[] {
    return [...this.notes.written].map(([tenantId, collections]) => ({ tenantId, collections }));
  }

  /**
   * Tells the jobs of this process what a write makes due, and the store from when on the tenant has something due, once
   * for each earlier time. `undefined` if the store need not be told.
   */
  #due(find: (rules: DueRules, env: Environment) => MadeDue): Promise<void> | undefined {
    if (!this.env) return undefined;
    const { tenantId } = this.tx;
    const made = find(this.env.use(dueRules), this.env);
    this.env.use(firstDues).note(tenantId, made);
    const { at } = made;
    const known = this.notes.dues.get(tenantId);
    if (at === undefined || (known !== undefined && known <= at)) return undefined;
    this.notes.dues.set(tenantId, at);
    return this.tx.due(at);
  }

  #mark(name: string): void {
    this.notes.mark(this.tx.tenantId, name);
  }
}
