import type { FieldValue, StoredCollection, StoredRecord } from "./collection.js";
import type { EventDraft, EventPage, EventQuery, StoredEvent } from "./event-log.js";
import type { Row } from "./row.js";
import type { SqlConsole } from "./sql-console.js";

/** Equality on declared fields. The set of names must be one that the collection declares an index for. */
export type Where = Readonly<Record<string, FieldValue>>;

/** Conditions on declared fields: one value, or several of which a row holds one. */
export type Filters = Readonly<Record<string, FieldValue | readonly FieldValue[]>>;

/** A field to order by; `createdAt` and descending when absent. `null` counts as largest: last in ascending order. */
export interface Order {
  readonly by?: string;
  readonly direction?: "asc" | "desc";
}

/** A value that rows are ordered by. */
export type Place = string | number | null;

/** Where a page ended: the value it was ordered by, and the id that breaks ties. */
export interface Position {
  readonly by: Place;
  readonly id: string;
  /** Values of the further fields it was ordered by. */
  readonly then?: readonly Place[];
  /** The rows of the first field's order that were sorted together, where all were too many. */
  readonly run?: Run;
}

/** Rows in the order of one field: those behind `from`, up to and with `to`. */
export interface Run {
  readonly from?: Position;
  readonly to?: Position;
}

/**
 * What to find. Names only what the collection declares; anything else throws before the database is asked. What no index
 * answers is looked for in a bounded number of rows, so a page may be short while `next` goes on.
 */
export interface FindQuery {
  readonly where?: Filters;
  /** Words that a row's folded search text must all hold, each literally: `%` and `_` mean themselves. */
  readonly search?: string;
  /** One field or several, the id last; newest first when absent. */
  readonly order?: Order | readonly Order[];
  /** Bounds on the ordering field: `from` and `through` are included, `before` is not; the last two exclude each other. */
  readonly range?: {
    readonly from?: string | number;
    readonly before?: string | number;
    readonly through?: string | number;
  };
  /** 1 to 1,000 rows. */
  readonly size: number;
  /** Zero-based page number; exclusive with `after`. */
  readonly page?: number;
  /** Continue after this position; exclusive with `page`. */
  readonly after?: Position;
  /** How many rows are looked at where no index answers alone; `SCAN_LIMIT` when absent, and never more. */
  readonly bound?: number;
}

/** What to count. */
export type CountQuery = Pick<FindQuery, "where" | "search" | "bound">;

/** A total that was counted as the records were written (`exact`), or a count that stopped at its bound. */
export interface Total {
  readonly count: number;
  readonly exact: boolean;
}

/** A page of rows, and where the next one starts when there is one. */
export interface Found<R extends StoredRecord> {
  readonly rows: readonly Row<R>[];
  readonly next?: Position;
}

/** A page as the text it will be served as: a JSON array, and the earliest moment at which one of its records goes stale. */
export interface Listed {
  readonly items: string;
  readonly count: number;
  readonly staleAt: string | null;
  readonly total: Total;
  readonly next?: Position;
}

/** Reading within one tenant. No method ever shows a row of another tenant, whatever it is asked. */
export interface Reader {
  readonly tenantId: string;
  /** The row with this id, or `undefined`. A removed row is absent from every read. */
  get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined>;
  /** The rows with these ids in the order asked, absent ones left out, each once. At most 1,000 ids. */
  getMany<R extends StoredRecord>(collection: StoredCollection<R>, ids: readonly string[]): Promise<Row<R>[]>;
  /** The row holding a declared unique key, or `undefined`. A `null` in the key finds nothing. */
  lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined>;
  /** As `lookup` for many keys in one question: a row or `undefined` for each of `values`, in their order. At most 1,000. */
  lookupMany<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]>;
  /** A page of rows in a total order; walking by `after` shows every row that was there throughout exactly once. */
  find<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Found<R>>;
  /**
   * The newest rows of each of many values of a text field, at most `size` a value: for what belongs to many records at once.
   * Every value asked for is in the answer. At most 1,000 values; an index of the field alone must be declared.
   */
  findTopPerKey<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: { readonly field: string; readonly values: readonly string[]; readonly size: number },
  ): Promise<Map<string, Row<R>[]>>;
  /** The same page as ready-made text, with its total. Records inside are as stored: see `staleAt`. */
  list<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Listed>;
  /**
   * How many rows match: from counters where the filter is none or values of one counted field, else a count that stops at
   * `COUNT_LIMIT` (`SEARCH_COUNT_LIMIT` for a search), or at the rows that are looked at.
   */
  count<R extends StoredRecord>(collection: StoredCollection<R>, query?: CountQuery): Promise<Total>;
  /** How many rows hold each value of a counted field, `null` left out. */
  countBy<R extends StoredRecord>(collection: StoredCollection<R>, field: string): Promise<Map<string, number>>;
  /** Rows in ascending id order after `after`, for jobs that must see everything a page at a time. */
  scan<R extends StoredRecord>(
    collection: StoredCollection<R>,
    range: { after?: string; size: number },
  ): Promise<Row<R>[]>;
  /** Events newest first, of the whole tenant or of one stream; the total leaves out what was pruned. */
  events(query: EventQuery): Promise<EventPage>;
  /** One event by id, if it is in `stream` when one is named. */
  event(id: string, stream?: string): Promise<StoredEvent | undefined>;
  /** The events with these ids in the order asked, absent ones left out, each once. At most 1,000 ids. */
  getEvents(ids: readonly string[]): Promise<StoredEvent[]>;
  /** Events in ascending sequence after `after`, for verification and export. */
  scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]>;
}

/**
 * Writing within one tenant. Each write is all or nothing. Inside a transaction a write may be held back until the next
 * read or the commit, so a rejection may arrive there; after a rejected write the transaction can only roll back.
 */
export interface Writer extends Reader {
  /** Stores a new record (version 1). Rejects with `duplicate` naming the unique key, or `id`. */
  insert<R extends StoredRecord>(collection: StoredCollection<R>, record: R): Promise<void>;
  /** Stores many new records in one go, all or none. */
  insertMany<R extends StoredRecord>(collection: StoredCollection<R>, records: readonly R[]): Promise<void>;
  /** Puts `next` in place of `previous`, the record as it was read (counters are kept by it). Rejects with `stale` unless the stored version is `previous.version`, which must be one less than `next.version`. */
  replace<R extends StoredRecord>(collection: StoredCollection<R>, next: R, previous: R): Promise<void>;
  /**
   * Takes `previous`, the record as it was read, out of every read and frees its unique keys. Rejects with `stale` unless
   * that very version is stored. Where the collection retains, the row stays and its id is never given out again;
   * elsewhere both are gone.
   */
  remove<R extends StoredRecord>(collection: StoredCollection<R>, previous: R, at: string): Promise<void>;
  /** Adds events to the tenant's hash chain, in the order given: the store numbers and links them. */
  append(...events: readonly EventDraft[]): Promise<void>;
  /** Erases the data of the events with these sequences, for good; all else about them stays. At most 1,000. */
  eraseEvents(sequences: readonly number[]): Promise<void>;
  /**
   * Drops the events up to and including `upTo` with their places in streams, for good; those after it keep their sequences
   * and links. The newest event stays whatever is asked. One call drops all at once, so callers ask for little at a time.
   */
  pruneEvents(upTo: number): Promise<void>;
}

/** A writer whose writes become visible to others together, or not at all. */
export interface Transaction extends Writer {
  /** The same transaction, bound to another tenant: for the few writes that concern two (a provider's act upon a tenant). */
  as(tenantId: string): Transaction;
  /**
   * Reads what is there once the transaction has committed, on a server in the same round trip. What is asked rejects with
   * `aborted` when there is no commit, and never undoes one.
   */
  readonly afterCommit: Reader;
}

/** Reading collections of platform scope across tenants; each row names its tenant. Refuses collections of tenant scope. */
export interface PlatformReader {
  get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined>;
  lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined>;
  /** Newest first across tenants, without filters. */
  find<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Pick<FindQuery, "size" | "after">,
  ): Promise<Found<R>>;
}

/** The state of a store, for health probes. */
export interface StoreStatus {
  readonly kind: string;
  /** The newest migration applied, and the newest this code knows; 0 when the kind has none. */
  readonly migration: { readonly applied: number; readonly latest: number };
}

/** A claim on a quota that all processes share: at most `limit` units in the window that ends at `until`. */
export interface QuotaClaim {
  /** Names the quota within its tenant. */
  readonly key: string;
  readonly limit: number;
  /** End of the window in milliseconds since the epoch. A later end than is known begins a new window, with nothing used; an earlier one counts in the window that is known. */
  readonly until: number;
  /** Units already used without asking. They count, whatever is left. */
  readonly spent: number;
  /** Units wanted now. */
  readonly wanted: number;
}

/** What was given of a quota, and what is left to all for this window. */
export interface QuotaGrant {
  readonly granted: number;
  readonly left: number;
}

/** What a commit changed: enough to drop what caches hold. */
export interface Change {
  readonly tenantId: string;
  readonly collections: ReadonlySet<string>;
}

/** Is told of changes; of `undefined` when some may have gone unheard, so that anything may have changed. */
export type ChangeListener = (change: Change | undefined) => void;

/** The storage of Reeve. Memory, SQLite and PostgreSQL pass one published contract suite (`@reeve/testkit`). */
export interface Store {
  /** Creates or upgrades the schema. Safe to call from several processes at once; refuses a database newer than the code. */
  migrate(): Promise<void>;
  /** What `migrate` would run, as one text of SQL for an administrator; empty when nothing is missing. Absent where the store has no SQL. */
  migrationSql?(): Promise<string>;
  /** Checks that the database answers. Rejects with `unavailable` otherwise. */
  status(): Promise<StoreStatus>;
  /** Waits for running work and closes every handle. Idempotent; later calls reject with `closed`. */
  close(): Promise<void>;
  readonly platform: PlatformReader;
  /** Questions in SQL for the provider; absent where the store has no SQL or was not given the means to guard it. */
  readonly console?: SqlConsole;
  /** Bound to one tenant; each write outside `transaction` is a transaction of its own. */
  forTenant(tenantId: string): Writer;
  /**
   * Runs `work` in one transaction of a tenant. Transactions of the same tenant never interleave: what one reads, no other
   * changes before it ends. Resolves only when the database has confirmed the commit; any throw rolls back. `work` may run
   * more than once, so it must not reach outside. Work of one `kind` reads alike most of the time, which a store may make
   * use of.
   */
  transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>, kind?: string): Promise<T>;
  /**
   * Reserves quotas of a tenant for all claims at once, and answers in their order: as many units as are wanted and
   * left. However many processes ask, what is granted and spent in a window is at most the limit, except by what was
   * spent unasked. It is no part of a transaction; call it outside. Quotas need not survive a crash of the database,
   * and are forgotten some time after `now` has passed their window. The claims of one call have different keys.
   */
  reserveQuota(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<readonly QuotaGrant[]>;
  /**
   * Calls `listener` after every commit, in this process or another, that wrote a watched collection; what it reads then is at
   * least as new. One commit may be told in parts and more than once, and others between: what has to be dropped is dropped
   * twice. Resolves when it hears, or when the first attempt to hear has failed: it goes on trying until `close`. A store that
   * cannot hear of other processes leaves `watch` out. Caches must age all the same, as nothing is heard of a silent break.
   */
  watch?(listener: ChangeListener): Promise<void>;
}
