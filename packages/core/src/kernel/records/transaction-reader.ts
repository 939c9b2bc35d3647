import type { StoredRecord } from "#store/collection.js";
import type { EventPage, EventQuery, EventStreams, StoredEvent } from "#store/event-log.js";
import type { FindQuery, FirstQuery, Where } from "#store/find-query.js";
import type { Row } from "#store/row.js";
import type { Found, Listed, Reader, Total, Transaction } from "#store/store.js";
import type { Collection } from "./collection.js";

/** The reading side of an open transaction. Its holder cannot reach the writing side. */
export class TransactionReader implements Reader {
  readonly #tx: Transaction;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  get tenantId(): string {
    return this.#tx.tenantId;
  }

  get<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<Row<R> | undefined> {
    return this.#tx.get(collection, id);
  }

  getMany<R extends StoredRecord>(collection: Collection<R>, ids: readonly string[]): Promise<Row<R>[]> {
    return this.#tx.getMany(collection, ids);
  }

  lookup<R extends StoredRecord>(collection: Collection<R>, key: string, values: Where): Promise<Row<R> | undefined> {
    return this.#tx.lookup(collection, key, values);
  }

  lookupMany<R extends StoredRecord>(
    collection: Collection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]> {
    return this.#tx.lookupMany(collection, key, values);
  }

  find<R extends StoredRecord>(collection: Collection<R>, query: FindQuery): Promise<Found<R>> {
    return this.#tx.find(collection, query);
  }

  findTopPerKey<R extends StoredRecord>(
    collection: Collection<R>,
    query: Parameters<Reader["findTopPerKey"]>[1],
  ): Promise<Map<string, Row<R>[]>> {
    return this.#tx.findTopPerKey(collection, query);
  }

  firstTimes(asked: readonly FirstQuery[]): Promise<(string | undefined)[]> {
    return this.#tx.firstTimes(asked);
  }

  list<R extends StoredRecord>(collection: Collection<R>, query: FindQuery): Promise<Listed> {
    return this.#tx.list(collection, query);
  }

  count<R extends StoredRecord>(
    collection: Collection<R>,
    query?: Pick<FindQuery, "where" | "search">,
  ): Promise<Total> {
    return this.#tx.count(collection, query);
  }

  countBy<R extends StoredRecord>(collection: Collection<R>, field: string): Promise<Map<string, number>> {
    return this.#tx.countBy(collection, field);
  }

  scan<R extends StoredRecord>(collection: Collection<R>, range: { after?: string; size: number }): Promise<Row<R>[]> {
    return this.#tx.scan(collection, range);
  }

  firstRemoval(collections: readonly { readonly name: string }[]): Promise<string | undefined> {
    return this.#tx.firstRemoval(collections);
  }

  events(query: EventQuery): Promise<EventPage> {
    return this.#tx.events(query);
  }

  event(id: string, stream?: EventStreams): Promise<StoredEvent | undefined> {
    return this.#tx.event(id, stream);
  }

  getEvents(ids: readonly string[]): Promise<StoredEvent[]> {
    return this.#tx.getEvents(ids);
  }

  scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]> {
    return this.#tx.scanEvents(range);
  }
}
