import type { StoredCollection, StoredRecord } from "./collection.js";
import type { EventDraft, EventPage, EventQuery, EventStreams, StoredEvent } from "./event-log.js";
import type { CountQuery, FindQuery, FirstQuery, Position, Where } from "./find-query.js";
import type { Purge, Purged } from "./purge.js";
import type { QuotaClaim, QuotaGrant } from "./quota.js";
import type { Row } from "./row.js";
import type { SqlConsole } from "./sql-console.js";

/** A total. `exact` is `false` when the count stopped at its bound. */
export interface Total {
  readonly count: number;
  readonly exact: boolean;
}

/** A page of rows, and the position of the next page if there is one. */
export interface Found<R extends StoredRecord> {
  readonly rows: readonly Row<R>[];
  readonly next?: Position;
}

/** A page as the text to serve: a JSON array. `staleAt` is when the first of its records goes out of date. */
export interface Listed {
  readonly items: string;
  readonly count: number;
  readonly staleAt: string | null;
  readonly total: Total;
  readonly next?: Position;
}

/** Reads within one tenant. No method ever returns a row of another tenant. */
export interface Reader {
  readonly tenantId: string;
  /** The row with this id, or `undefined`. Removed rows are absent from every read. */
  get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined>;
  /** The rows with these ids, distinct and in the order given, without absent ones. At most 1,000 ids. */
  getMany<R extends StoredRecord>(collection: StoredCollection<R>, ids: readonly string[]): Promise<Row<R>[]>;
  /** The row with this unique key, or `undefined`. A key with `null` finds nothing. */
  lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined>;
  /** Like `lookup` for many keys at once: a row or `undefined` per key, in order. At most 1,000. */
  lookupMany<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: readonly Where[],
  ): Promise<(Row<R> | undefined)[]>;
  /** A page of rows in a total order. Paging by `after` returns every row that stays in place exactly once. */
  find<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Found<R>>;
  /**
   * The newest rows for each of many values of a text field, at most `size` per value. The answer has every value. At
   * most 1,000 values. An index of this field alone must be declared.
   */
  findTopPerKey<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: { readonly field: string; readonly values: readonly string[]; readonly size: number },
  ): Promise<Map<string, Row<R>[]>>;
  /**
   * The first value of each of these fields, in order; `undefined` where no row has one. An index of `where` must be
   * ordered by the field. At most 200 fields, in one statement.
   */
  firstTimes(asked: readonly FirstQuery[]): Promise<(string | undefined)[]>;
  /** The same page as JSON text, with its total. Records are as stored: see `staleAt`. */
  list<R extends StoredRecord>(collection: StoredCollection<R>, query: FindQuery): Promise<Listed>;
  /**
   * The number of matching rows. Exact without a filter or with values of one counted field. Otherwise the count stops
   * at `COUNT_LIMIT` (`SEARCH_COUNT_LIMIT` for a search), or at the bound of examined rows.
   */
  count<R extends StoredRecord>(collection: StoredCollection<R>, query?: CountQuery): Promise<Total>;
  /** The number of rows per value of a counted field, without `null`. */
  countBy<R extends StoredRecord>(collection: StoredCollection<R>, field: string): Promise<Map<string, number>>;
  /** Rows with ids after `after`, ascending, for jobs that page through all of them. */
  scan<R extends StoredRecord>(
    collection: StoredCollection<R>,
    range: { after?: string; size: number },
  ): Promise<Row<R>[]>;
  /** When the first removed row was removed that these collections still keep. */
  firstRemoval(collections: readonly { readonly name: string }[]): Promise<string | undefined>;
  /** Events, newest first, of the tenant or of some streams. The total excludes pruned ones. */
  events(query: EventQuery): Promise<EventPage>;
  /** One event by id; within any of `stream` if given. */
  event(id: string, stream?: EventStreams): Promise<StoredEvent | undefined>;
  /** The events with these ids, distinct and in the order given, without absent ones. At most 1,000 ids. */
  getEvents(ids: readonly string[]): Promise<StoredEvent[]>;
  /** Events after the sequence `after`, ascending, for verification and export. */
  scanEvents(range: { after?: number; size: number }): Promise<StoredEvent[]>;
}

/**
 * Writes within one tenant. Each write is all or nothing. A transaction may delay a write until the next read or the
 * commit, and a rejection with it. After a rejected write a transaction can only roll back.
 */
export interface Writer extends Reader {
  /** Stores a new record (version 1). Rejects with `duplicate`, which names the unique key or `id`. */
  insert<R extends StoredRecord>(collection: StoredCollection<R>, record: R): Promise<void>;
  /** Stores many new records at once, all or none. */
  insertMany<R extends StoredRecord>(collection: StoredCollection<R>, records: readonly R[]): Promise<void>;
  /**
   * Replaces `previous`, the record as read, which also updates the counters. `next.version` must be one higher.
   * Rejects with `stale` unless `previous.version` is stored.
   */
  replace<R extends StoredRecord>(collection: StoredCollection<R>, next: R, previous: R): Promise<void>;
  /**
   * Hides `previous`, the record as read, from every read and frees its unique keys. Rejects with `stale` unless that
   * version is stored. A retaining collection keeps the row and never reuses its id; otherwise both are gone.
   */
  remove<R extends StoredRecord>(collection: StoredCollection<R>, previous: R, at: string): Promise<void>;
  /** Appends events to the tenant's hash chain in order. The store numbers and links them. */
  append(...events: readonly EventDraft[]): Promise<void>;
  /** Erases the data of the events with these sequences for good and keeps the rest of them. At most 1,000. */
  eraseEvents(sequences: readonly number[]): Promise<void>;
  /**
   * Drops the events up to and including `upTo` for good, also from streams. Later ones keep their sequences and links.
   * The newest event always stays. One call drops all at once, so prune in small steps.
   */
  pruneEvents(upTo: number): Promise<void>;
}

/** A writer whose writes become visible together or not at all. */
export interface Transaction extends Writer {
  /** The same transaction in another tenant, for the few writes that concern two. */
  as(tenantId: string): Transaction;
  /**
   * Reads what another tenant has committed by the time of each read, once this transaction has the lock of its own
   * tenant. Unlike `as` it takes no lock of the other. What this transaction wrote there may be missing.
   */
  committed(tenantId: string): Reader;
  /** The tenant has something due at this time or before, with this commit. Keeps an earlier time. */
  due(at: string): Promise<void>;
  /**
   * Ends a claim of `Dues`: the tenant has nothing due before `next`, but for what `due` has told since the claim. Read
   * what is due after the claim, so that nothing is missed. Does nothing when somebody else has claimed the tenant
   * meanwhile.
   */
  settleDue(claim: number, next: string): Promise<void>;
  /**
   * Deletes at most `size` rows of this tenant for good, up to 1,000. With `"all"` that is whatever has its id, as far as
   * the chain of events, its quotas and what it has due; its records of platform scope follow its events. Write nothing
   * else to the tenant in this transaction.
   */
  purge(what: Purge, size: number): Promise<Purged>;
  /**
   * Reads the state after the commit; a database server answers it in the same round trip. Rejects with `aborted` when
   * there is no commit. A failure never undoes the commit.
   */
  readonly afterCommit: Reader;
}

/** Reads collections of platform scope across tenants. Each row has its tenant. Refuses collections of tenant scope. */
export interface PlatformReader {
  get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined>;
  lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined>;
  /** The rows of all tenants by a key that holds within each (`uniqueInTenant`): oldest first, at most `size`. */
  lookupAll<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
    size: number,
  ): Promise<Row<R>[]>;
  /** Newest first across tenants, without filters. */
  find<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Pick<FindQuery, "size" | "after">,
  ): Promise<Found<R>>;
}

/** A tenant, and a time at which it has something due. */
export interface DueTenant {
  readonly tenantId: string;
  readonly at: string;
}

/** How much of what is due waits, among the earliest 10,000 tenants. */
export interface DueBacklog {
  /** Tenants with something due that nobody has claimed. */
  readonly waiting: number;
  /** Tenants whose jobs somebody has claimed. */
  readonly claimed: number;
  /** Since when the first of those that wait has something due; `null` where none waits. */
  readonly oldestAt: string | null;
}

/**
 * When each tenant has something due, so that jobs ask only for those that have. Claims end by the clock of the store, so
 * that another process goes on where one has died.
 */
export interface Dues {
  /** Tenants with something due at `at` that nobody has claimed: the earliest first, from after `after` on. */
  find(at: string, size: number, after?: DueTenant): Promise<readonly DueTenant[]>;
  /**
   * Claims a tenant for `ms` milliseconds. Returns the number of the claim, higher than that of every claim before.
   * `undefined` when it has nothing due at `at`, or somebody has claimed it.
   */
  claim(tenantId: string, at: string, ms: number): Promise<number | undefined>;
  /** Lets a claim end `ms` milliseconds from now; 0 gives it up. `false` when somebody else has claimed the tenant. */
  renew(tenantId: string, claim: number, ms: number): Promise<boolean>;
  /** Each of these tenants has something due at `at` or before. At most 1,000. */
  lower(tenantIds: readonly string[], at: string): Promise<void>;
  /** What is due at `at`, for metrics. One read of a bounded cost. */
  backlog(at: string): Promise<DueBacklog>;
}

/** How far the backfill of a collection is, in rows. `total` is an estimate made at its begin. */
export interface BackfillStatus {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly finished: boolean;
}

/** The state of a store, for health probes. */
export interface StoreStatus {
  readonly kind: string;
  /** The newest migration applied, and the newest known to this code; 0 when the store has none. */
  readonly migration: {
    readonly applied: number;
    readonly latest: number;
    /** Whether a migration was applied that this code does not know, so there may be tables and fields unknown to it. */
    readonly unknown?: boolean;
    /** Whether a newer migration was applied that this code cannot work with. */
    readonly refused?: boolean;
  };
  /** The backfills of migrations, oldest first; absent when there are none. */
  readonly backfills?: readonly BackfillStatus[];
  /** Whether the database takes reads and no writes now, as a standby or a full disk does, or a writer that does not end. */
  readonly readOnly?: boolean;
  /** Whether a backup was restored here and what it brought back is not ended yet. */
  readonly restored?: boolean;
  /** What the clock of the database says, in epoch ms; absent when it is the clock of this machine. */
  readonly now?: number;
}

/** Connections of one pool of a store at a moment. */
export interface PoolStats {
  /** `requests`, or `replica`. */
  readonly name: string;
  readonly used: number;
  readonly idle: number;
  /** Those who wait for a connection. */
  readonly waiting: number;
  readonly limit: number;
}

/** What has become of the reads that a replica could serve, counted since the store was opened. */
export interface ReplicaStats {
  readonly served: number;
  /** Answers that were older than the read may be. */
  readonly dropped: number;
  readonly failed: number;
  /** Reads for which the replica was not asked, since it was known to be behind or had failed. */
  readonly passedOver: number;
  /** How old its last answer was, in ms; absent where it gave none of a known age within a minute. */
  readonly ageMs?: number;
}

/** What a store holds of connections, for metrics. What is not known is absent. */
export interface StoreStats {
  readonly pools: readonly PoolStats[];
  readonly replica?: ReplicaStats;
}

/** What a commit changed, so that caches know what to drop. */
export interface Change {
  readonly tenantId: string;
  readonly collections: ReadonlySet<string>;
}

/** Gets each change. `undefined` means that changes may have been missed, so anything may have changed. */
export type ChangeListener = (change: Change | undefined) => void;

/** The storage of Reeve. Memory, SQLite and PostgreSQL pass one published contract suite (`@reeve/testkit`). */
export interface Store {
  /**
   * Creates or upgrades the schema and fills the rows that migrations reshape. Safe to call from several processes at
   * once. Refuses a newer database, unless its migrations say that older code may go on.
   */
  migrate(): Promise<void>;
  /**
   * The SQL that `migrate` would run, for an administrator; empty when nothing is missing. Absent in stores without
   * SQL.
   */
  migrationSql?(): Promise<string>;
  /**
   * Marks the database as restored from a backup, or takes the mark away once tokens and codes are ended. Needs no
   * schema, and what `migrate` needs of rights. Absent in stores without backups.
   */
  markRestored?(restored: boolean): Promise<void>;
  /** Checks that the database answers. Rejects with `unavailable` otherwise. */
  status(): Promise<StoreStatus>;
  /** What the store holds at this moment, without asking the database. Absent in stores without a pool of connections. */
  stats?(): StoreStats;
  /** Waits for running work and closes every handle. Idempotent. Later calls reject with `closed`. */
  close(): Promise<void>;
  readonly platform: PlatformReader;
  readonly dues: Dues;
  /** SQL for the provider. Absent in stores without SQL, or without the means to guard it. */
  readonly console?: SqlConsole;
  /**
   * Reads of one request that may be behind by a bounded time, though never behind what this process wrote. They never
   * go back in time. Nothing may be decided by them. Absent in stores without a replica.
   */
  readonly replica?: (tenantId: string) => Reader;
  /** A writer of one tenant. Each write outside `transaction` is a transaction of its own. */
  forTenant(tenantId: string): Writer;
  /**
   * Runs `work` in one transaction of a tenant. Transactions of a tenant never interleave: what one has read does not
   * change before it ends. Resolves once the database has confirmed the commit; any throw rolls back. `work` may run
   * more than once, so it must not call the outside. Give `kind` to work that usually makes the same reads, so that a
   * store can read ahead.
   */
  transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>, kind?: string): Promise<T>;
  /**
   * Reserves quotas of a tenant for all claims at once: as many units as are wanted and left, in the order of the
   * claims. All grants of a window together stay within the limit, except for units in `spent`. Claims need different
   * keys. Call it outside transactions. Quotas may be lost in a crash of the database, and are deleted some time after
   * their window has passed `now`.
   */
  reserveQuota(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<readonly QuotaGrant[]>;
  /**
   * Calls `listener` after every commit of another process that wrote a broadcast collection, and maybe after those of
   * this one. It can then read that commit. A store that cannot tell what a commit wrote calls with `undefined` after any.
   * A commit may be announced in parts and more than once. Resolves once it listens or the first attempt has failed; it
   * retries until `close`. Absent when a store cannot hear of other processes. Caches need an expiry as well, because a
   * connection may break silently.
   */
  watch?(listener: ChangeListener): Promise<void>;
}
