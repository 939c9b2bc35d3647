import type { Logger } from "@reeve/core/store";
import type { GroupCommit } from "./group-commit.js";
import { indexPending, nextPending } from "./search-index.js";
import type { Statements } from "./statements.js";

/** How long after a write the WAL is brought into the database, in ms. */
const CHECKPOINT_AFTER_MS = 1_000;
/** How long written rows wait to be indexed together, in ms: searches look at what waits, and each batch has a fixed cost. */
const INDEX_AFTER_MS = 250;
/** How long the next batch waits when more than one is due, in ms: requests come between. */
const INDEX_AGAIN_MS = 2;
/** The longest pause after failures, in ms: it doubles with each of them. */
const LONGEST_PAUSE_MS = 60_000;
/** Rows indexed at a stretch: a few milliseconds of work. */
const INDEX_BATCH = 64;

/** Work that no request should wait for. Its timers do not keep the process alive. */
export class Maintenance {
  #checkpoint: NodeJS.Timeout | undefined;
  #index: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Failures since something last went well. */
  #failures = 0;

  constructor(
    private readonly writer: Statements,
    private readonly reader: Statements,
    private readonly commits: GroupCommit,
    private readonly logger: Logger,
  ) {}

  /** Tells that something was written. */
  written(afterMs = CHECKPOINT_AFTER_MS): void {
    if (this.#stopped) return;
    this.#checkpoint ??= setTimeout(() => {
      this.#checkpoint = undefined;
      this.#orLater(() => this.writer.db.pragma("wal_checkpoint(PASSIVE)"));
    }, afterMs).unref();
  }

  /** Tells that something searchable was written. */
  searchWritten(afterMs = INDEX_AFTER_MS): void {
    if (this.#stopped) return;
    this.#index ??= setTimeout(() => {
      this.#index = undefined;
      this.#orLater(() => this.#indexSome());
    }, afterMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#checkpoint);
    clearTimeout(this.#index);
  }

  #indexSome(): void {
    if (!nextPending(this.reader)) return;
    const { db } = this.writer;
    const synchronous = db.pragma("synchronous", { simple: true });
    // A power cut may undo this: the rows then wait again. So it need not wait for the disk, as a record's commit must.
    db.pragma("synchronous = NORMAL");
    let indexed = 0;
    try {
      this.writer.of("begin immediate").run();
      // Many tenants with few rows each must not wait for one another.
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

  /** What cannot be done now is done at the next occasion: nothing is lost, as what waits is in the database. */
  #orLater(task: () => void): void {
    try {
      if (this.commits.aloneNow(task)) this.#failures = 0;
      else this.#later(1);
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
