import { timestamp } from "#ports/clock.js";
import { isIdOf, type StoredRecord } from "#store/collection.js";
import type { EventQuery, EventStreams } from "#store/event-log.js";
import type { FindQuery } from "#store/find-query.js";
import type { Row } from "#store/row.js";
import type { Listed, Reader, Total } from "#store/store.js";
import type { MaybePromise } from "../async/maybe-promise.js";
import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { eventText } from "../events/events.js";
import { notFound } from "../http/errors.js";
import { requireVersion, type VersionCondition } from "../http/version-condition.js";
import { asOf } from "../records/as-of.js";
import type { Collection } from "../records/collection.js";
import { type Page, Raw } from "../records/outcome.js";
import { editVersionOf } from "../records/stamps.js";
import type { TenantState } from "./gates.js";
import { askedOf } from "./list-query.js";
import {
  arrayPage,
  cursorScope,
  eventPage,
  PAGE_BYTES,
  type PageQuery,
  readWindow,
  recordPage,
  smallerWindow,
  type Window,
} from "./page.js";
import { listedAsSeen } from "./seen-page.js";
import { eventView } from "./shown-events.js";
import { bySides } from "./sides.js";

/** What a context knows of its request. */
export interface RequestFacts {
  readonly requestId: string;
  readonly nowMs: number;
  readonly ifMatch?: VersionCondition | undefined;
  readonly remoteAddress?: string | undefined;
  /** The header `Authorization`, for operations that authenticate clients themselves. */
  readonly authorization?: string | undefined;
  /** The header `Cookie`, for pages with a cookie of their own. Only known where the operation has a dialect. */
  readonly cookie?: string | undefined;
  /** The query as it was sent, for operations of another protocol whose signatures are over its octets. */
  readonly query?: string | undefined;
  /** Whether the sender wants a page, as browsers do. Only known where the operation has a dialect. */
  readonly wantsPage?: boolean | undefined;
  /** Whether a page of another site has sent the request. Only known where the operation has a dialect. */
  readonly fromElsewhere?: boolean | undefined;
  /** The id of the last server-sent event that the sender has, where it is a number. */
  readonly lastEventId?: number | undefined;
  /** The host that the request was sent to: `null` when it names two, absent in process. */
  readonly host?: string | null | undefined;
  /** What the sender calls itself. */
  readonly userAgent?: string | undefined;
  /** The headers that the operation says it reads. One that was sent several times is empty. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The header `Accept-Encoding`, which only answers with files read. */
  readonly acceptEncoding?: string | undefined;
  readonly mountPath: string;
  /** Whether lists may be behind by a bounded time. Calls in process and `Cache-Control: no-cache` get the newest. */
  readonly mayBeBehind?: boolean | undefined;
  /** The `reason` of the body, for the events of records that the request changes. */
  readonly reason?: string | undefined;
  /** Identifies the caller again, for operations that run others. */
  readonly identify?: (() => MaybePromise<Principal | undefined>) | undefined;
  /** The state of the caller's tenant. Absent without a caller. */
  readonly tenant?: TenantState | undefined;
}

/** The reading context of a handler: one tenant at one moment. */
export class ReadContext {
  #now: string | undefined;

  constructor(
    readonly env: Environment,
    readonly request: RequestFacts,
    private readonly who: Principal | undefined,
    private readonly source: Reader | undefined,
  ) {}

  /** The time of the request, which does not change while it runs. */
  get now(): string {
    this.#now ??= timestamp(this.request.nowMs);
    return this.#now;
  }

  /** Who is acting. Throws in operations without a bearer token. */
  get principal(): Principal {
    if (!this.who) throw new Error("this operation has no principal");
    return this.who;
  }

  /** Who is acting; `undefined` in a public operation that nobody was identified for. */
  get caller(): Principal | undefined {
    return this.who;
  }

  /** The tenant's records, inside the transaction when there is one. */
  get db(): Reader {
    if (!this.source) throw new Error("this operation is not bound to a tenant");
    return this.source;
  }

  /** Whether reads here are part of a transaction that writes. */
  get inTransaction(): boolean {
    return false;
  }

  /** The same request as a reader of another tenant. */
  on(tenantId: string, who: Principal = this.principal): ReadContext {
    const { env, request } = this;
    return new ReadContext(env, { ...request, tenant: undefined }, who, env.store.forTenant(tenantId));
  }

  /** What another tenant has committed. Within a transaction that is of the moment of the first read. */
  committed(tenantId: string): Reader {
    return this.env.store.forTenant(tenantId);
  }

  newId(prefix: string): string {
    return `${prefix}_${this.env.ids.next(this.request.nowMs)}`;
  }

  /**
   * A record to be served: its stored text, or a derived record when time has changed it. 404 when absent or foreign.
   */
  async getStored<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<Row<R> | R> {
    const row = found(await this.row(collection, id));
    return this.isStale(row.staleAt) ? this.derived(collection, row) : row;
  }

  /** A record to work on, as it is at this moment. 404 when absent or foreign. */
  async getOrThrow<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<R> {
    return this.current(collection, found(await this.row(collection, id)));
  }

  /**
   * The record that the request is about. Like `getOrThrow`, but 412 when it has changed since the version in
   * `If-Match`.
   */
  async getForUpdate<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<R> {
    const row = found(await this.row(collection, id));
    requireVersion(this.request.ifMatch, row.version, editVersionOf(row.value));
    return this.current(collection, row);
  }

  /**
   * A page of records by the caller's query (`listQuery`), as time has made them. Each is served as stored, or as `view`
   * maps it. The conditions in `fixed` always apply.
   */
  async page<R extends StoredRecord>(
    collection: Collection<R>,
    query: PageQuery,
    fixed: Pick<FindQuery, "where" | "search"> = {},
    view?: (record: R) => unknown,
  ): Promise<Page> {
    const asked = askedOf(collection, await bySides(this, collection.filters, query));
    const where = { ...asked.where, ...fixed.where };
    const filters = { ...asked, ...fixed, ...(Object.keys(where).length > 0 ? { where } : {}) };
    const scope = cursorScope(this.db.tenantId, collection.name, filters);
    const window = readWindow(query, scope, this.env.secretBox, this.request.nowMs);
    const seen = await listedAsSeen(this, collection, filters, window, view);
    if (seen) return recordPage(seen, window, scope, this.env.secretBox, this.request.nowMs);
    const findOf = ({ size, page, after }: Window): FindQuery => ({
      ...filters,
      size,
      ...(after ? { after } : { page }),
    });
    let find = findOf(window);
    let listed = await this.db.list(collection, find);
    while (listed.items.length > PAGE_BYTES && listed.count > 1) {
      find = findOf(smallerWindow(window, find.size, listed.items.length));
      listed = await this.db.list(collection, find);
    }
    if (this.isStale(listed.staleAt) || view) listed = await this.#listedAs(collection, find, listed.total, view);
    return recordPage(listed, window, scope, this.env.secretBox, this.request.nowMs);
  }

  /**
   * The first `size` records of the caller's query without a page (`filterQuery`), as time has made them, each as `view`
   * maps it. `complete` tells whether these are all; up to 1,000 can be asked for.
   */
  async first<R extends StoredRecord, V>(
    collection: Collection<R>,
    query: object,
    size: number,
    view: (record: R) => V,
  ): Promise<{ readonly records: readonly V[]; readonly total: Total; readonly complete: boolean }> {
    const filters = askedOf(collection, { ...(await bySides(this, collection.filters, query)) });
    const listed =
      (await listedAsSeen(this, collection, filters, { page: 0, size }, view)) ??
      (await this.#listedAs(collection, { ...filters, size }, await this.db.count(collection, filters), view));
    return { records: JSON.parse(listed.items) as V[], total: listed.total, complete: listed.next === undefined };
  }

  /** A page of records as the caller sees them. Its rows and where it goes on are of one moment. */
  async #listedAs<R extends StoredRecord>(
    collection: Collection<R>,
    find: FindQuery,
    total: Total,
    view?: (record: R) => unknown,
  ): Promise<Listed> {
    const { rows, next } = await this.db.find(collection, find);
    const records = rows.map((row) => this.derived(collection, row));
    const items = JSON.stringify(view ? await Promise.all(records.map(view)) : records);
    return { items, count: rows.length, staleAt: null, total, ...(next ? { next } : {}) };
  }

  /** A page of a list that is wholly in memory, in a stable order. */
  slice(list: string, items: readonly unknown[], query: PageQuery): Page {
    const scope = cursorScope(this.db.tenantId, list, null);
    const window = readWindow(query, scope, this.env.secretBox, this.request.nowMs);
    return arrayPage(items, window, scope, this.env.secretBox, this.request.nowMs);
  }

  /** A list of events, newest first: the tenant's, or that of some streams. */
  async events(query: PageQuery, stream?: EventStreams): Promise<Page> {
    const scope = cursorScope(this.principal.tenantId, "events", stream ?? null);
    const window = readWindow(query, scope, this.env.secretBox, this.request.nowMs);
    const find: EventQuery = {
      ...(stream === undefined ? {} : { stream }),
      size: window.size,
      ...(window.after ? { before: Number(window.after.by) } : { page: window.page }),
    };
    const found = await this.db.events(find);
    const events = found.events.map(eventView(this));
    return eventPage({ ...found, events }, window, scope, this.env.secretBox, this.request.nowMs);
  }

  /** One event of some streams. 404 when absent, foreign or of another stream. */
  async event(id: string, stream?: EventStreams): Promise<Raw> {
    const event = isIdOf({ prefix: "evt" }, id) ? await this.db.event(id, stream) : undefined;
    if (!event) throw notFound();
    return new Raw(eventText(eventView(this)(event)), "application/json");
  }

  /** The record of a row at this moment. */
  async current<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Promise<R> {
    return this.derived(collection, row);
  }

  private row<R extends StoredRecord>(collection: Collection<R>, id: string): Promise<Row<R> | undefined> {
    return isIdOf(collection, id) ? this.db.get(collection, id) : Promise.resolve(undefined);
  }

  /** The record of a row at this moment, with its due time transitions. */
  derived<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): R {
    return asOf(collection, row, this.now);
  }

  protected isStale(staleAt: string | null): boolean {
    return staleAt !== null && staleAt <= this.now;
  }
}

function found<R extends StoredRecord>(row: Row<R> | undefined): Row<R> {
  if (!row) throw notFound();
  return row;
}
