import { isBusy } from "./errors.js";
import type { Lock } from "./lock.js";
import { indexPending, nextPending } from "./search-index.js";
import type { Statements } from "./statements.js";

/** How long after a write the WAL is brought into the database, in ms. */
const CHECKPOINT_AFTER_MS = 1_000;
/** How long after a write search learns of it unless a search asks sooner, in ms. */
const INDEX_AFTER_MS = 20;
/** How long the next batch waits when there are more, in ms: requests come between. */
const INDEX_AGAIN_MS = 2;
/** Rows indexed at a stretch: a few milliseconds of work. */
const INDEX_BATCH = 64;

/** Work that no request should wait for. Its timers do not keep the process alive. */
export class Maintenance {
  #checkpoint: NodeJS.Timeout | undefined;
  #index: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly writer: Statements,
    private readonly reader: Statements,
    private readonly lock: Lock,
  ) {}

  /** Tells that something was written. */
  written(): void {
    if (this.#stopped) return;
    this.#checkpoint ??= setTimeout(() => {
      this.#checkpoint = undefined;
      this.#unlessBusy(() => this.writer.db.pragma("wal_checkpoint(PASSIVE)"));
    }, CHECKPOINT_AFTER_MS).unref();
  }

  /** Tells that something searchable was written. */
  searchWritten(afterMs = INDEX_AFTER_MS): void {
    if (this.#stopped) return;
    this.#index ??= setTimeout(() => {
      this.#index = undefined;
      this.#unlessBusy(() => this.#indexSome());
    }, afterMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#checkpoint);
    clearTimeout(this.#index);
  }

  #indexSome(): void {
    const next = nextPending(this.reader);
    if (!next) return;
    this.searchWritten(INDEX_AGAIN_MS);
    this.writer.of("begin immediate").run();
    try {
      indexPending(this.writer, ...next, INDEX_BATCH);
      this.writer.of("commit").run();
    } finally {
      if (this.writer.db.inTransaction) this.writer.of("rollback").run();
    }
  }

  /** What cannot be done now is done at the next occasion: nothing is lost, as what waits is in the database. */
  #unlessBusy(task: () => void): void {
    try {
      if (this.lock.held) this.#later();
      else task();
    } catch (error) {
      if (isBusy(error)) this.#later();
    }
  }

  #later(): void {
    this.written();
    this.searchWritten();
  }
}
