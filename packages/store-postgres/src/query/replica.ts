import { type Logger, type PoolStats, type Reader, type ReplicaStats, StoreError } from "@reeve/core/store";
import { type Query, type Rows, SqlReader, type Values } from "@reeve/store-sql";
import type { PostgresStoreOptions } from "../connect/options.js";
import { Pool, type PoolOptions } from "../connect/pool.js";
import { stepOf } from "../connect/steps.js";
import type { Read } from "../statement/read.js";
import { PostgresAccess } from "./access.js";
import { LogMoments, positionOf, REPLAYED, WRITTEN } from "./log-position.js";

/** How often a moment of the log is noted, as a share of the staleness that is allowed. */
const MOMENTS = 8;
const LEAST_STALENESS_MS = 100;
/** How long a replica that is behind, or has failed, is left alone at most, in ms. */
const REST_MS = { "is behind": 500, failed: 5_000 };
/** How long the age of an answer is told, in ms. */
const AGE_KNOWN_MS = 60_000;
/** Tenants whose last write is kept before old ones are looked for. */
const SWEPT_FROM = 1_000;

const replayedStep = stepOf(REPLAYED);

export interface ReplicaOptions {
  /** Connections to the replica. */
  readonly pool: Pool;
  /** Connections to the server that takes writes. */
  readonly primary: Pool;
  /** Reads on the server that takes writes. */
  readonly fromPrimary: Read;
  readonly maxStalenessMs: number;
  /** Maximum wait for an answer of the replica, in ms. */
  readonly answerTimeoutMs: number;
  readonly logger: Logger;
}

/** The replica that these options name, if they name one. Throws a `TypeError` for options that do not do. */
export function openReplica(
  { replicaUrl, maxReplicaStalenessMs = 5_000 }: PostgresStoreOptions,
  settings: PoolOptions,
  primary: Pool,
  fromPrimary: Read,
): Replica | undefined {
  if (!(maxReplicaStalenessMs >= LEAST_STALENESS_MS))
    throw new TypeError(`maxReplicaStalenessMs: a number of ms, at least ${LEAST_STALENESS_MS}, is needed`);
  if (replicaUrl === undefined) return undefined;
  if (replicaUrl === "")
    throw new TypeError('replicaUrl: a connection URL such as "postgres://app@replica/app" is needed');
  return new Replica({
    pool: new Pool({ ...settings, source: replicaUrl }),
    primary,
    fromPrimary,
    maxStalenessMs: maxReplicaStalenessMs,
    answerTimeoutMs: settings.connectionTimeoutMs,
    logger: settings.logger,
  });
}

/** The reads of one request, which never go back in time. */
interface Reads {
  /** What has been read is of this moment or later. */
  from: number;
  onPrimary: boolean;
}

type Trouble = keyof typeof REST_MS;

/**
 * A read replica. Each of its answers comes with the position of its log, read before. The position tells of which
 * moment all commits are in the answer. An answer that is too old, or older than what this process wrote in the tenant,
 * is dropped, and the server that takes writes is asked.
 */
export class Replica {
  readonly #moments = new LogMoments();
  readonly #wrote = new Map<string, number>();
  #asking: Promise<void> | undefined;
  #asked = Number.NEGATIVE_INFINITY;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #trouble: Trouble | undefined;
  readonly #reads = { served: 0, dropped: 0, failed: 0, passedOver: 0 };
  /** When it last answered, and how old that was. */
  #answered: { readonly at: number; readonly ageMs: number } | undefined;

  constructor(private readonly options: ReplicaOptions) {}

  /** A reader for one request. */
  reader(tenantId: string): Reader {
    const reads: Reads = { from: Number.NEGATIVE_INFINITY, onPrimary: false };
    const access = new PostgresAccess(
      (query, values) => this.#read(tenantId, reads, query, values),
      () => this.options.primary.hasSearchIndex(),
    );
    return new SqlReader(tenantId, access);
  }

  /** Notes that this process wrote in these tenants, or may have. */
  wrote(tenants: Iterable<string>): void {
    const now = performance.now();
    for (const tenantId of tenants) {
      this.#wrote.delete(tenantId);
      this.#wrote.set(tenantId, now);
    }
    if (this.#wrote.size <= SWEPT_FROM) return;
    for (const [tenantId, at] of this.#wrote) {
      if (at > now - this.options.maxStalenessMs) return;
      this.#wrote.delete(tenantId);
    }
  }

  stats(): { readonly pools: readonly PoolStats[]; readonly replica: ReplicaStats } {
    const { at = Number.NEGATIVE_INFINITY, ageMs = 0 } = this.#answered ?? {};
    const isKnown = performance.now() - at <= AGE_KNOWN_MS;
    return { pools: this.options.pool.stats("replica"), replica: { ...this.#reads, ...(isKnown ? { ageMs } : {}) } };
  }

  async close(): Promise<void> {
    await this.#asking;
    await this.options.pool.end();
  }

  async #read(tenantId: string, reads: Reads, query: Query, values: Values): Promise<Rows> {
    const rows = await this.#fromReplica(tenantId, reads, query, values);
    if (rows) return rows;
    reads.onPrimary = true;
    return this.options.fromPrimary(query, values);
  }

  async #fromReplica(tenantId: string, reads: Reads, query: Query, values: Values): Promise<Rows | undefined> {
    if (reads.onPrimary) return undefined;
    this.#keepMoments();
    if (performance.now() < this.#restsUntil || this.#moments.newest < this.#oldest(tenantId, reads)) {
      this.#reads.passedOver += 1;
      return undefined;
    }
    try {
      const [position, answer] = await this.options.pool.with((session) =>
        session.send([replayedStep(session), session.query(query, values)], this.options.answerTimeoutMs),
      );
      const replayed = positionOf(position?.rows[0]);
      if (!replayed) throw new StoreError("unavailable", "the replica is no standby that follows a log");
      const moment = this.#moments.reachedBy(replayed) ?? Number.NEGATIVE_INFINITY;
      this.#noteAge(moment);
      if (moment >= this.#oldest(tenantId, reads)) {
        reads.from = moment;
        this.#tell(undefined);
        this.#reads.served += 1;
        return answer?.rows ?? [];
      }
      this.#reads.dropped += 1;
      if (moment < performance.now() - this.options.maxStalenessMs) this.#rest("is behind");
    } catch (error) {
      this.#reads.failed += 1;
      this.#answered = undefined;
      this.#rest("failed", error);
    }
    return undefined;
  }

  /** A replica that is further behind than any moment that is kept has no known age. */
  #noteAge(moment: number): void {
    const at = performance.now();
    this.#answered = Number.isFinite(moment) ? { at, ageMs: at - moment } : undefined;
  }

  /** The oldest moment that an answer may be of. */
  #oldest(tenantId: string, { from }: Reads): number {
    return Math.max(from, this.#wrote.get(tenantId) ?? from, performance.now() - this.options.maxStalenessMs);
  }

  /** Asks for the position of the log unless it was asked for lately. Nobody waits for it. */
  #keepMoments(): void {
    const at = performance.now();
    if (this.#asking || at - this.#asked < this.options.maxStalenessMs / MOMENTS) return;
    this.#asked = at;
    this.#asking = this.#noteMoment(at).finally(() => {
      this.#asking = undefined;
    });
  }

  async #noteMoment(at: number): Promise<void> {
    try {
      const [row] = await this.options.primary.with((session) => session.run(WRITTEN, []));
      const position = positionOf(row);
      if (position) this.#moments.note(at, position);
    } catch {
      // Without new moments the replica is soon not asked. Who reads then is told of the failure by the read itself.
    }
  }

  #rest(trouble: Trouble, error?: unknown): void {
    this.#restsUntil = performance.now() + Math.min(REST_MS[trouble], this.options.maxStalenessMs);
    this.#tell(trouble, error);
  }

  #tell(trouble: Trouble | undefined, error?: unknown): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    const { logger } = this.options;
    const reported = error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) };
    if (trouble) logger.warn(reported, `the replica ${trouble}: lists are read from the server that takes writes`);
    else logger.info({}, "the replica serves lists again");
  }
}
