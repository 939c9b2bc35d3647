import type { StoredCollection, StoredRecord } from "../collection.js";
import { compareText } from "../compare.js";
import type { EventPage, EventQuery, EventStreams, StoredEvent } from "../event-log.js";
import { planCount, planEach, planFind, totalBeside } from "../find-plan.js";
import type { CountQuery, FindQuery, FirstQuery, Where } from "../find-query.js";
import { planFirsts } from "../first-plan.js";
import { checkCountBy, checkEventQuery, checkIds, checkSize, planLookup, planLookups } from "../query.js";
import type { Row } from "../row.js";
import type { Found, Listed, Reader, Total } from "../store.js";
import { eventById, eventPage, eventsAfter } from "./event-log.js";
import type { Entry, Layer } from "./layer.js";
import { countEntries, earliest, findPage, firstValue, found, orderedPage, rowOf } from "./query.js";
import { currentEntry, uniqueKey } from "./records.js";

/** Reads one tenant on the layer from `view`, which throws once reading is over. */
export class MemoryReader implements Reader {
  constructor(
    readonly tenantId: string,
    protected readonly view: () => Layer,
  ) {}

  async get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined> {
    const entry = this.#entry(collection, id);
    return entry && rowOf<R>(entry);
  }

  async getMany<R extends StoredRecord>(collection: StoredCollection<R>, ids: readonly string[]): Promise<Row<R>[]> {
    return checkIds(ids).flatMap((id) => {
      const entry = this.#entry(collection, id);
      return entry ? [rowOf<R>(entry)] : [];
    });
  }

  async lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined> {
    return this.#holder(collection, key, planLookup(collection, key, values));
  }

  async lookupMany<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]> {
    return planLookups(collection, key, values).map((each) => this.#holder(collection, key, each));
  }

  async find<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Found<R>> {
    const plan = planFind(collection, query);
    return found<R>(await findPage(this.#live(collection), plan));
  }

  async findTopPerKey<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Parameters<Reader["findTopPerKey"]>[1],
  ) {
    const { plan, values } = planEach(collection, query);
    // One look at all entries for all values, of which there may be many.
    const kept = new Map(values.map((value) => [value, [] as Entry[]]));
    for (const entry of this.#live(collection)) kept.get(String(entry.values[query.field]))?.push(entry);
    return new Map(
      values.map((value) => {
        const { entries } = orderedPage(kept.get(value) ?? [], { ...plan, where: [[query.field, value]] });
        return [value, entries.map((entry) => rowOf<R>(entry))];
      }),
    );
  }

  async firstTimes(asked: readonly FirstQuery[]): Promise<(string | undefined)[]> {
    return planFirsts(asked).map((plan, at) => firstValue(this.#live((asked[at] as FirstQuery).collection), plan));
  }

  async list<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Listed> {
    const plan = planFind(collection, query);
    const live = this.#live(collection);
    const page = await findPage(live, plan);
    const listed = {
      items: `[${page.entries.map((entry) => entry.text).join(",")}]`,
      count: page.entries.length,
      staleAt: earliest(page.entries),
      total: page.total ?? totalBeside(await countEntries(live, plan), plan, page.entries.length),
    };
    return page.next ? { ...listed, next: page.next } : listed;
  }

  async count<R extends StoredRecord>(collection: StoredCollection<R>, query: CountQuery = {}): Promise<Total> {
    const plan = planCount(collection, query);
    return countEntries(this.#live(collection), plan);
  }

  async countBy<R extends StoredRecord>(collection: StoredCollection<R>, field: string): Promise<Map<string, number>> {
    checkCountBy(collection, field);
    const counts = new Map<string, number>();
    for (const entry of this.#live(collection)) {
      const value = entry.values[field] ?? null;
      if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    }
    return counts;
  }

  async scan<R extends StoredRecord>(
    collection: StoredCollection<R>,
    range: { after?: string; size: number },
  ): Promise<Row<R>[]> {
    checkSize(range.size);
    const { after } = range;
    return this.#live(collection)
      .filter((entry) => after === undefined || compareText(entry.id, after) > 0)
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, range.size)
      .map((entry) => rowOf<R>(entry));
  }

  async events(query: EventQuery): Promise<EventPage> {
    checkEventQuery(query);
    return eventPage(this.view(), this.tenantId, query);
  }

  async event(id: string, stream?: EventStreams): Promise<StoredEvent | undefined> {
    return eventById(this.view(), this.tenantId, id, stream);
  }

  async getEvents(ids: readonly string[]): Promise<StoredEvent[]> {
    return checkIds(ids).flatMap((id) => eventById(this.view(), this.tenantId, id) ?? []);
  }

  async scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]> {
    checkSize(range.size);
    return eventsAfter(this.view(), this.tenantId, range.after ?? 0, range.size);
  }

  async firstRemoval(collections: readonly { readonly name: string }[]): Promise<string | undefined> {
    const names = new Set(collections.map(({ name }) => name));
    const kept = this.view().entriesOf(this.tenantId);
    return kept.flatMap(([name, { removedAt }]) => (names.has(name) ? (removedAt ?? []) : [])).sort()[0];
  }

  #holder<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    where: ReturnType<typeof planLookup>,
  ): Row<R> | undefined {
    const held = where && uniqueKey(collection, this.tenantId, key, Object.fromEntries(where));
    const holder = held === undefined ? undefined : this.view().holder(held);
    const entry = holder && this.#entry(collection, holder.id);
    return entry && rowOf<R>(entry);
  }

  #entry<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Entry | undefined {
    const entry = this.view().entry(collection.name, this.tenantId, id);
    return entry?.removedAt === null ? currentEntry(collection, entry) : undefined;
  }

  #live<R extends StoredRecord>(collection: StoredCollection<R>): Entry[] {
    const entries = this.view().live(collection.name, this.tenantId);
    return collection.shapeVersion ? entries.map((entry) => currentEntry(collection, entry)) : entries;
  }
}
