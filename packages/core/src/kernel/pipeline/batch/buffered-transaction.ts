import type { StoredRecord } from "#store/collection.js";
import type { EventDraft, EventPage, EventQuery, EventStreams, StoredEvent } from "#store/event-log.js";
import type { FindQuery, FirstQuery, Where } from "#store/find-query.js";
import type { Purge, Purged } from "#store/purge.js";
import { checkIds, planLookups } from "#store/query.js";
import { Row } from "#store/row.js";
import type { Found, Listed, Reader, Total, Transaction } from "#store/store.js";
import { StoreError } from "#store/store-error.js";
import type { Collection } from "../../records/collection.js";
import { isSame } from "../../records/is-same.js";
import type { ForeseenTotals } from "./foreseen-totals.js";
import { type AnyCollection, type HeldWrite, type Sends, sendWrites } from "./held-writes.js";
import { IdentityMap, keyValues } from "./identity-map.js";
import { taken } from "./taken-keys.js";
import { UnaskedKeys } from "./unasked-keys.js";

/** Writes that are sent ahead in one go: of some dozens of inputs. */
const AHEAD = 250;

/** What was buffered when a part began. */
interface Mark {
  readonly writes: number;
  readonly unasked: number;
  readonly due: string | undefined;
}

/**
 * A transaction shared by many parts. It answers repeated reads from memory, buffers writes and sends them together.
 * Until they are sent, one part can be rolled back alone. A read that memory cannot answer first sends the buffered
 * writes of its collection.
 */
export class BufferedTransaction implements Transaction {
  readonly tenantId: string;
  readonly #known = new IdentityMap();
  #writes: HeldWrite[] = [];
  readonly #unasked = new UnaskedKeys();
  #part = -1;
  #due: string | undefined;
  #marked: Mark = { writes: 0, unasked: 0, due: undefined };
  #sent = false;
  #broken = false;
  #clean = true;

  constructor(
    private readonly tx: Transaction,
    private readonly sends: Sends = "together",
    private readonly foreseen?: ForeseenTotals,
  ) {
    this.tenantId = tx.tenantId;
  }

  /** Begins part number `part`. Rolling it back leaves earlier parts in place. */
  begin(part: number): void {
    this.#part = part;
    this.#known.mark();
    this.#marked = { writes: this.#writes.length, unasked: this.#unasked.length, due: this.#due };
    this.#sent = false;
  }

  /** By how many records collections have grown whose total was asked for. */
  get grown(): ReadonlyMap<string, number> {
    return this.#known.grown();
  }

  /** Whether the store has refused a write. Then the transaction can only be rolled back. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Whether the store has only been read so far. */
  get clean(): boolean {
    return this.#clean && !this.#broken;
  }

  /**
   * Undoes the writes of the current part. `false` when some were sent already, because only a rollback undoes those.
   */
  rollBack(): boolean {
    if (this.#sent) return false;
    this.#known.undo();
    this.#writes.length = this.#marked.writes;
    this.#unasked.cut(this.#marked.unasked);
    this.#due = this.#marked.due;
    return true;
  }

  /**
   * Sends all buffered writes. Rejects with `TakenKeys` when the store holds a unique key that was not asked for, unless
   * they go ahead.
   */
  async send(): Promise<void> {
    await this.#unasked.ask((collection, key, values) => this.#ask((tx) => tx.lookupMany(collection, key, values)));
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length > this.#marked.writes) this.#sent = true;
    this.#marked = { writes: 0, unasked: 0, due: undefined };
    if (writes.length > 0) this.#clean = false;
    await this.#ask((tx) => sendWrites(tx, writes));
    const due = this.#due;
    this.#due = undefined;
    if (due !== undefined) await this.#ask((tx) => tx.due(due));
  }

  /** Sends the writes of finished parts if they go ahead, once they are some. */
  async sendAhead(): Promise<void> {
    if (this.sends === "ahead" && this.#writes.length >= AHEAD) await this.send();
  }

  async get<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<Row<R> | undefined> {
    let row = this.#known.row(collection, id);
    if (row === undefined) {
      row = (await this.#ask((tx) => tx.get(collection, id))) ?? null;
      this.#known.learnRow(collection, id, row);
    }
    return (row ?? undefined) as Row<R> | undefined;
  }

  async getMany<R extends StoredRecord>(collection: Collection<R>, ids: readonly string[]): Promise<Row<R>[]> {
    const asked = checkIds(ids);
    const unknown = asked.filter((id) => this.#known.row(collection, id) === undefined);
    if (unknown.length > 0) {
      const found = new Map((await this.#ask((tx) => tx.getMany(collection, unknown))).map((row) => [row.id, row]));
      for (const id of unknown) this.#known.learnRow(collection, id, found.get(id) ?? null);
    }
    return asked.flatMap((id) => (this.#known.row(collection, id) as Row<R> | null) ?? []);
  }

  async lookup<R extends StoredRecord>(collection: Collection<R>, key: string, values: Where) {
    const [row] = await this.lookupMany(collection, key, [values]);
    return row;
  }

  async lookupMany<R extends StoredRecord>(
    collection: Collection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]> {
    const planned = planLookups(collection, key, values).map((each) => each && Object.fromEntries(each));
    const asked = planned.filter((each) => each !== undefined);
    const unknown = asked.filter((each) => this.#known.holder(collection, key, each) === undefined);
    if (unknown.length > 0) {
      const rows = await this.#ask((tx) => tx.lookupMany(collection, key, unknown));
      for (const [at, each] of unknown.entries()) this.#learn(collection, key, each, rows[at]);
    }
    return planned.map((each) => {
      const id = each && this.#known.holder(collection, key, each);
      return id ? (this.#known.row(collection, id) as Row<R>) : undefined;
    });
  }

  async count<R extends StoredRecord>(
    collection: Collection<R>,
    query: Pick<FindQuery, "where" | "search"> = {},
  ): Promise<Total> {
    if (query.search !== undefined || Object.keys(query.where ?? {}).length > 0) {
      await this.#sendFor(collection);
      return this.#ask((tx) => tx.count(collection, query));
    }
    if (this.#known.total(collection) === undefined) {
      await this.#sendFor(collection);
      const { count } = await this.#ask((tx) => tx.count(collection));
      this.#known.learnTotal(collection, count + (this.foreseen?.of(collection) ?? 0));
    }
    return { count: this.#known.total(collection) as number, exact: true };
  }

  async find<R extends StoredRecord>(collection: Collection<R>, query: FindQuery): Promise<Found<R>> {
    await this.#sendFor(collection);
    return this.#ask((tx) => tx.find(collection, query));
  }

  async findTopPerKey<R extends StoredRecord>(
    collection: Collection<R>,
    query: Parameters<Transaction["findTopPerKey"]>[1],
  ) {
    await this.#sendFor(collection);
    return this.#ask((tx) => tx.findTopPerKey(collection, query));
  }

  async firstTimes(asked: readonly FirstQuery[]) {
    await this.send();
    return this.#ask((tx) => tx.firstTimes(asked));
  }

  async list<R extends StoredRecord>(collection: Collection<R>, query: FindQuery): Promise<Listed> {
    await this.#sendFor(collection);
    return this.#ask((tx) => tx.list(collection, query));
  }

  async countBy<R extends StoredRecord>(collection: Collection<R>, field: string): Promise<Map<string, number>> {
    await this.#sendFor(collection);
    return this.#ask((tx) => tx.countBy(collection, field));
  }

  async scan<R extends StoredRecord>(collection: Collection<R>, range: { after?: string; size: number }) {
    await this.#sendFor(collection);
    return this.#ask((tx) => tx.scan(collection, range));
  }

  async firstRemoval(collections: readonly { readonly name: string }[]) {
    await this.send();
    return this.#ask((tx) => tx.firstRemoval(collections));
  }

  async events(query: EventQuery): Promise<EventPage> {
    await this.send();
    return this.#ask((tx) => tx.events(query));
  }

  async event(id: string, stream?: EventStreams): Promise<StoredEvent | undefined> {
    await this.send();
    return this.#ask((tx) => tx.event(id, stream));
  }

  async getEvents(ids: readonly string[]): Promise<StoredEvent[]> {
    await this.send();
    return this.#ask((tx) => tx.getEvents(ids));
  }

  async scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]> {
    await this.send();
    return this.#ask((tx) => tx.scanEvents(range));
  }

  async insert<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<void> {
    for (const key of Object.keys(collection.unique)) this.#takeKey(collection, key, record);
    this.#known.changeRow(collection, record.id, this.#rowOf(collection, record));
    this.#known.changeTotal(collection, 1);
    this.#writes.push({ kind: "insert", collection, record });
  }

  async insertMany<R extends StoredRecord>(collection: Collection<R>, records: readonly R[]): Promise<void> {
    for (const record of records) await this.insert(collection, record);
  }

  async replace<R extends StoredRecord>(collection: Collection<R>, next: R, previous: R): Promise<void> {
    this.#checkVersion(collection, previous);
    for (const key of Object.keys(collection.unique)) {
      const [before, after] = [keyValues(collection, key, previous), keyValues(collection, key, next)];
      if (isSame(before, after)) continue;
      if (before) this.#known.changeHolder(collection, key, before, null);
      this.#takeKey(collection, key, next);
    }
    this.#known.changeRow(collection, next.id, this.#rowOf(collection, next));
    this.#writes.push({ kind: "replace", collection, next, previous });
  }

  async remove<R extends StoredRecord>(collection: Collection<R>, previous: R, at: string): Promise<void> {
    this.#checkVersion(collection, previous);
    for (const key of Object.keys(collection.unique)) {
      const held = keyValues(collection, key, previous);
      if (held) this.#known.changeHolder(collection, key, held, null);
    }
    this.#known.changeRow(collection, previous.id, null);
    this.#known.changeTotal(collection, -1);
    this.#writes.push({ kind: "remove", collection, previous, at });
  }

  async append(...events: readonly EventDraft[]): Promise<void> {
    this.#writes.push({ kind: "append", events });
  }

  eraseEvents(sequences: readonly number[]): Promise<void> {
    return this.#writeNow((tx) => tx.eraseEvents(sequences));
  }

  pruneEvents(upTo: number): Promise<void> {
    return this.#writeNow((tx) => tx.pruneEvents(upTo));
  }

  purge(what: Purge, size: number): Promise<Purged> {
    return this.#writeNow((tx) => tx.purge(what, size));
  }

  /** Writes in another tenant are sent at once, so a part with them cannot be rolled back alone. */
  as(tenantId: string): Transaction {
    if (tenantId === this.tenantId) return this;
    this.#sent = true;
    this.#clean = false;
    return this.tx.as(tenantId);
  }

  committed(tenantId: string): Reader {
    return this.tx.committed(tenantId);
  }

  async due(at: string): Promise<void> {
    if (this.#due === undefined || at < this.#due) this.#due = at;
  }

  settleDue(claim: number, next: string): Promise<void> {
    return this.tx.settleDue(claim, next);
  }

  /** Reads after the commit of the whole transaction, even if the part that asked has failed. */
  get afterCommit(): Reader {
    return this.tx.afterCommit;
  }

  /** Sends rare writes at once, after all buffered ones. They cannot be rolled back alone. */
  async #writeNow<T>(write: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.send();
    this.#sent = true;
    this.#clean = false;
    return this.#ask(write);
  }

  async #ask<T>(question: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await question(this.tx);
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  async #sendFor(collection: AnyCollection): Promise<void> {
    if (this.#writes.some((write) => write.kind !== "append" && write.collection === collection)) await this.send();
  }

  #learn(collection: AnyCollection, key: string, values: Where, row: Row<StoredRecord> | undefined): void {
    if (row && this.#known.row(collection, row.id) === undefined) this.#known.learnRow(collection, row.id, row);
    this.#known.learnHolder(collection, key, values, row?.id ?? null);
  }

  #takeKey(collection: AnyCollection, key: string, record: StoredRecord): void {
    const values = keyValues(collection, key, record);
    if (!values) return;
    const holder = this.#known.holder(collection, key, values);
    if (holder) throw taken(collection, key);
    if (holder === undefined && this.sends === "together")
      this.#unasked.add({ part: this.#part, collection, key, values });
    this.#known.changeHolder(collection, key, values, record.id);
  }

  #checkVersion(collection: AnyCollection, { id, version }: StoredRecord): void {
    const row = this.#known.row(collection, id);
    if (row === undefined || row?.version === version) return;
    throw new StoreError("stale", `${collection.name}: the stored version is another one`);
  }

  #rowOf<R extends StoredRecord>(collection: Collection<R>, record: R): Row<R> {
    return Row.of(this.tenantId, record, collection.staleAt?.(record) ?? null);
  }
}
