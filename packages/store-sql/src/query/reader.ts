import {
  addedKeys,
  type CountQuery,
  checkCountBy,
  checkEventQuery,
  checkIds,
  checkSize,
  type EventPage,
  type EventQuery,
  type EventStreams,
  type FindPlan,
  type FindQuery,
  type FirstQuery,
  type Found,
  type Gathered,
  gatherCount,
  gatherPage,
  type Listed,
  planCount,
  planEach,
  planFind,
  planFirsts,
  planLookup,
  planLookups,
  type Reader,
  type Row,
  type StoredCollection,
  type StoredEvent,
  type StoredRecord,
  streamsOf,
  type Total,
  usesAddedFields,
  type Where,
} from "@reeve/core/store";
import { tableOf } from "../schema/table.js";
import type { Access } from "./access.js";
import {
  eventPageQuery,
  eventQuery,
  eventScanQuery,
  eventsByIdQuery,
  eventTotalQuery,
  streamValues,
} from "./event-queries.js";
import { fillTenant } from "./fill-tenant.js";
import { firstRemovalQuery } from "./first-removal.js";
import { firstTimesQuery, firstTimesValues } from "./first-times.js";
import { keySource } from "./key-source.js";
import { boundedTotal, eventOf, listedOf, rowOf } from "./rows.js";
import { lookupValues } from "./values.js";

/** Reads one tenant, in the same way on both databases. */
export class SqlReader implements Reader {
  constructor(
    readonly tenantId: string,
    protected readonly access: Access,
  ) {}

  async get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined> {
    const { access, tenantId: tenant } = this;
    const rows = await access.rows(access.queries.get(tableOf(collection)), { tenant, id });
    const row = rows[0];
    return row && rowOf(tableOf(collection), tenant, row);
  }

  async getMany<R extends StoredRecord>(collection: StoredCollection<R>, ids: readonly string[]): Promise<Row<R>[]> {
    const asked = checkIds(ids);
    if (asked.length === 0) return [];
    const { access, tenantId: tenant } = this;
    const values = { tenant, ids: access.queries.dialect.encodeList(asked) };
    const rows = await access.rows(access.queries.getMany(tableOf(collection)), values);
    const byId = new Map(rows.map((cells) => [cells[0] as string, rowOf<R>(tableOf(collection), tenant, cells)]));
    return asked.flatMap((id) => byId.get(id) ?? []);
  }

  async lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined> {
    const where = planLookup(collection, key, values);
    if (!where) return undefined;
    if (addedKeys(collection).includes(key)) await this.fill(collection);
    const { access, tenantId } = this;
    const query = access.queries.lookup(tableOf(collection), key);
    const [row] = await access.rows(query, lookupValues(access.queries.dialect, tenantId, where));
    return row && rowOf(tableOf(collection), tenantId, row);
  }

  async lookupMany<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]> {
    const found = new Array<Row<R> | undefined>(values.length).fill(undefined);
    const asked = [...planLookups(collection, key, values).entries()].filter(([, conditions]) => conditions);
    if (asked.length === 0) return found;
    if (addedKeys(collection).includes(key)) await this.fill(collection);
    const { access, tenantId: tenant } = this;
    const keys = asked.map(([, conditions]) => (conditions ?? []).map(([, value]) => value));
    const query = access.queries.lookupMany(tableOf(collection), key);
    const rows = await access.rows(query, { tenant, ...access.queries.dialect.encodeKeys(keys) });
    for (const cells of rows) {
      const [place] = asked[cells.at(-1) as number] as [number, unknown];
      found[place] = rowOf(tableOf(collection), tenant, cells);
    }
    return found;
  }

  async find<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Found<R>> {
    const plan = planFind(collection, query);
    if (usesAddedFields(collection, query)) await this.fill(collection);
    const gathered = await this.#gathered(collection, plan);
    if (!gathered) return this.access.find(this.tenantId, tableOf(collection), plan);
    const { rows, next } = gathered;
    return next ? { rows, next } : { rows };
  }

  async findTopPerKey<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Parameters<Reader["findTopPerKey"]>[1],
  ) {
    const { plan, values } = planEach(collection, query);
    const found = new Map<string, Row<R>[]>(values.map((value) => [value, []]));
    if (values.length === 0) return found;
    if (usesAddedFields(collection, { where: { [query.field]: "" } })) await this.fill(collection);
    const { access, tenantId: tenant } = this;
    const slots = { tenant, values: access.queries.dialect.encodeList(values), size: plan.size };
    const rows = await access.rows(access.queries.findTopPerKey(tableOf(collection), plan), slots);
    for (const cells of rows) found.get(cells.at(-1) as string)?.push(rowOf(tableOf(collection), tenant, cells));
    return found;
  }

  async firstTimes(asked: readonly FirstQuery[]): Promise<(string | undefined)[]> {
    if (asked.length === 0) return [];
    const firsts = planFirsts(asked).map((plan, at) => ({
      table: tableOf((asked[at] as FirstQuery).collection),
      plan,
    }));
    for (const { collection, by, where = {} } of asked)
      if (usesAddedFields(collection, { where, order: { by } })) await this.fill(collection);
    const { access, tenantId: tenant } = this;
    const values = firstTimesValues(access.queries.dialect, tenant, firsts);
    const [row = []] = await access.rows(firstTimesQuery(access.queries, firsts), values);
    return asked.map((_, at) => (row[at] as string | null) ?? undefined);
  }

  async list<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Listed> {
    const plan = planFind(collection, query);
    if (usesAddedFields(collection, query)) await this.fill(collection);
    const gathered = await this.#gathered(collection, plan);
    if (!gathered) return this.access.list(this.tenantId, tableOf(collection), plan);
    const total = gathered.total ?? (await this.access.count(this.tenantId, tableOf(collection), plan));
    return listedOf(gathered.rows, total, gathered.next);
  }

  /** Fills the rows that older code has written, before a query by a column that such code does not fill. */
  protected fill<R extends StoredRecord>(collection: StoredCollection<R>): Promise<void> {
    return fillTenant(this.access, this.tenantId, tableOf(collection));
  }

  /** A page in an order that no index has. */
  async #gathered<R extends StoredRecord>(
    collection: StoredCollection<R>,
    plan: FindPlan,
  ): Promise<(Found<R> & Pick<Gathered, "total">) | undefined> {
    const isByOne = plan.then.length === 0;
    if (!plan.gather && isByOne) return undefined;
    const table = tableOf(collection);
    if (plan.gather?.from === "search" && isByOne) return this.access.search.page(this.tenantId, table, plan);
    const gathered = await gatherPage(plan, keySource(this.access, this.tenantId, table));
    return gathered && { ...gathered, rows: await this.getMany(collection, gathered.ids) };
  }

  async count<R extends StoredRecord>(collection: StoredCollection<R>, query: CountQuery = {}): Promise<Total> {
    const plan = planCount(collection, query);
    if (usesAddedFields(collection, query)) await this.fill(collection);
    const table = tableOf(collection);
    const gathered = plan.gather && (await gatherCount(plan, keySource(this.access, this.tenantId, table)));
    return gathered ?? this.access.count(this.tenantId, table, plan);
  }

  async countBy<R extends StoredRecord>(collection: StoredCollection<R>, field: string): Promise<Map<string, number>> {
    checkCountBy(collection, field);
    const { access, tenantId: tenant } = this;
    if (collection.addedFields?.includes(field)) {
      await this.fill(collection);
      const counts = await access.rows(access.queries.countRowsBy(tableOf(collection), field), { tenant });
      return new Map(counts.map(([value, n]) => [value as string, n as number]));
    }
    const rows = await access.rows(access.queries.countBy(), { tenant, collection: collection.name, field });
    return new Map(rows.map(([value, n]) => [value as string, n as number]));
  }

  async scan<R extends StoredRecord>(
    collection: StoredCollection<R>,
    range: { after?: string; size: number },
  ): Promise<Row<R>[]> {
    checkSize(range.size);
    const { access, tenantId: tenant } = this;
    const query = access.queries.scan(tableOf(collection), range.after !== undefined);
    const rows = await access.rows(query, { tenant, after: range.after, size: range.size });
    return rows.map((cells) => rowOf<R>(tableOf(collection), tenant, cells));
  }

  async firstRemoval(collections: readonly { readonly name: string }[]): Promise<string | undefined> {
    if (collections.length === 0) return undefined;
    const { access, tenantId: tenant } = this;
    const [row] = await access.rows(firstRemovalQuery(access.queries, collections), { tenant });
    return (row?.[0] as string | null | undefined) ?? undefined;
  }

  async events(query: EventQuery): Promise<EventPage> {
    checkEventQuery(query);
    const { access, tenantId: tenant } = this;
    const { before, size } = query;
    const streams = streamsOf(query.stream);
    const count = streams?.length ?? 0;
    const offset = (query.page ?? 0) * size;
    const shape = { streams: count, before: before !== undefined, offset: offset > 0 };
    const within = { tenant, ...streamValues(streams) };
    const values = { ...within, before, offset, fetch: size + 1, reach: offset + size + 1 };
    const [rows, [head]] = await Promise.all([
      access.rows(eventPageQuery(access.queries, shape), values),
      access.rows(eventTotalQuery(access.queries, count), within),
    ]);
    const counted = (head?.[0] as number | undefined) ?? 0;
    const total = streams ? boundedTotal(counted) : { count: counted, exact: true };
    const events = rows.slice(0, size).map(eventOf);
    const last = events.at(-1);
    return last && rows.length > size ? { events, total, next: last.sequence } : { events, total };
  }

  async event(id: string, stream?: EventStreams): Promise<StoredEvent | undefined> {
    const { access, tenantId: tenant } = this;
    const streams = streamsOf(stream);
    const query = eventQuery(access.queries, streams?.length ?? 0);
    const [row] = await access.rows(query, { tenant, id, ...streamValues(streams) });
    return row && eventOf(row);
  }

  async getEvents(ids: readonly string[]): Promise<StoredEvent[]> {
    const asked = checkIds(ids);
    if (asked.length === 0) return [];
    const { access, tenantId: tenant } = this;
    const list = access.queries.dialect.encodeList(asked);
    const rows = await access.rows(eventsByIdQuery(access.queries), { tenant, ids: list });
    const byId = new Map(rows.map(eventOf).map((event) => [event.id, event]));
    return asked.flatMap((id) => byId.get(id) ?? []);
  }

  async scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]> {
    checkSize(range.size);
    const { access, tenantId: tenant } = this;
    const values = { tenant, after: range.after ?? 0, size: range.size };
    const rows = await access.rows(eventScanQuery(access.queries), values);
    return rows.map(eventOf);
  }
}
