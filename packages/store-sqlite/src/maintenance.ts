import type { Logger } from "@reeve/core/store";
import { WAL_BYTES } from "./connection.js";
import type { GroupCommit } from "./group-commit.js";
import { indexPending, nextPending } from "./search-index.js";
import type { Statements } from "./statements.js";

/** Delay from a write to a WAL checkpoint, in ms. */
const CHECKPOINT_AFTER_MS = 1_000;
/**
 * Delay until written rows are indexed together, in ms. Searches also read the waiting rows, and each batch has a fixed
 * cost.
 */
const INDEX_AFTER_MS = 250;
/** Delay between batches when more rows wait, in ms, so that requests can run. */
const INDEX_AGAIN_MS = 2;
/** The longest pause after failures, in ms. Each failure doubles the pause. */
const LONGEST_PAUSE_MS = 60_000;
/** Rows per indexing batch: a few milliseconds of work. */
const INDEX_BATCH = 64;

/** Background work outside of requests. Its timers do not keep the process alive. */
export class Maintenance {
  /** Set until the work has run, so that it waits once for the end of a long transaction. */
  #checkpoint: NodeJS.Timeout | undefined;
  #index: NodeJS.Timeout | undefined;
  #stopped = false;
  #toldOfReader = false;
  /** Failures since the last success. */
  #failures = 0;

  constructor(
    private readonly writer: Statements,
    private readonly reader: Statements,
    private readonly commits: GroupCommit,
    private readonly logger: Logger,
  ) {}

  /** Call after a write. */
  written(afterMs = CHECKPOINT_AFTER_MS): void {
    if (this.#stopped) return;
    this.#checkpoint ??= setTimeout(() => {
      this.#afterCommit(() => {
        this.#checkpoint = undefined;
        this.#copyBack();
      });
    }, afterMs).unref();
  }

  /** Call after a searchable write. */
  searchWritten(afterMs = INDEX_AFTER_MS): void {
    if (this.#stopped) return;
    this.#index ??= setTimeout(() => {
      this.#afterCommit(() => {
        this.#index = undefined;
        this.#indexSome();
      });
    }, afterMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#checkpoint);
    clearTimeout(this.#index);
  }

  /** Copies what is written into the database, as far as the oldest reader of any process permits. */
  #copyBack(): void {
    const { db } = this.writer;
    const [reported] = db.pragma("wal_checkpoint(PASSIVE)") as { log: number; checkpointed: number }[];
    const pages = (reported?.log ?? 0) - (reported?.checkpointed ?? 0);
    const waiting = pages * (db.pragma("page_size", { simple: true }) as number);
    if (waiting <= WAL_BYTES) this.#toldOfReader = false;
    else if (!this.#toldOfReader) {
      this.#toldOfReader = true;
      this.logger.warn(
        { waitingBytes: waiting },
        "the -wal file grows: somebody has been reading the same moment of the database since, in this process or another",
      );
    }
  }

  #indexSome(): void {
    if (!nextPending(this.reader)) return;
    const { db } = this.writer;
    const synchronous = db.pragma("synchronous", { simple: true });
    // A power cut may undo this, and the rows then wait again. So it need not wait for the disk.
    db.pragma("synchronous = NORMAL");
    let indexed = 0;
    try {
      this.writer.of("begin immediate").run();
      // Takes rows of several tenants, so that tenants with few rows do not wait for each other.
      for (let next = nextPending(this.writer); next && indexed < INDEX_BATCH; next = nextPending(this.writer)) {
        indexed += indexPending(this.writer, ...next, INDEX_BATCH - indexed);
      }
      this.writer.of("commit").run();
    } finally {
      if (db.inTransaction) this.writer.of("rollback").run();
      db.pragma(`synchronous = ${synchronous}`);
    }
    this.searchWritten(indexed === INDEX_BATCH ? INDEX_AGAIN_MS : INDEX_AFTER_MS);
  }

  /** Retries later what fails. Nothing is lost, because the waiting rows are in the database. */
  #afterCommit(task: () => void): void {
    this.commits.afterCommit(() => {
      if (!this.#stopped) this.#attempt(task);
    });
  }

  #attempt(task: () => void): void {
    try {
      task();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(
        { error: reason, failures: this.#failures },
        "maintenance failed; it is tried again, later each time",
      );
      this.#later(2 ** this.#failures);
    }
  }

  #later(times: number): void {
    this.written(Math.min(CHECKPOINT_AFTER_MS * times, LONGEST_PAUSE_MS));
    this.searchWritten(Math.min(INDEX_AFTER_MS * times, LONGEST_PAUSE_MS));
  }
}
