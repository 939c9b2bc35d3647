import { StoreError } from "@reeve/core/store";
import { storeError } from "./errors.js";
import { Lock } from "./lock.js";
import { retryWhileBusy } from "./retry-while-busy.js";
import type { Statements } from "./statements.js";
import type { WriterLease } from "./unit.js";

/** How many units share a commit at most: what waits for it is answered meanwhile. */
const MOST_TOGETHER = 64;

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Gives the one writing connection to one unit at a time, and commits units that follow closely upon each other together: one
 * wait for the disk serves all. Each is told only once its own writes are there to stay.
 */
export class GroupCommit implements WriterLease {
  readonly #lock = new Lock();
  /** Units that are done, and wait for the commit of the transaction that is open. */
  #waiting: Waiting[] = [];
  #scheduled = false;
  #due = false;

  constructor(
    readonly statements: Statements,
    private readonly busyMs: number,
  ) {}

  /** Waits for its turn, and begins a transaction or a part of the one that is open. */
  async enter(): Promise<void> {
    await this.#lock.acquire(this.busyMs);
    try {
      if (this.#waiting.length > 0) this.#run("savepoint unit");
      else await retryWhileBusy(this.busyMs, () => this.#run("begin immediate"));
    } catch (error) {
      this.#leave();
      throw storeError(error);
    }
  }

  /** Ends the turn and keeps what was written in it. Resolves when it is committed. */
  keep(): Promise<void> {
    if (this.#waiting.length > 0) this.#run("release unit");
    const kept = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#leave();
    return kept;
  }

  /**
   * Ends the turn, for the reason given if there is one, and undoes what was written in it. Resolves when all that was seen in
   * the turn is committed: who is told of a taken key can look its holder up.
   */
  drop(cause: unknown): Promise<void> {
    let seen = Promise.resolve();
    if (!this.statements.db.inTransaction) {
      // A full or broken disk undoes the whole transaction, whichever of its units met it.
      const failure = cause ?? new StoreError("unavailable", "the database undid the transaction");
      this.#answerWaiting((waiting) => waiting.reject(failure));
    } else if (this.#waiting.length > 0) {
      this.#run("rollback to unit");
      this.#run("release unit");
      seen = new Promise((resolve) => {
        this.#waiting.push({ resolve, reject: () => resolve() });
      });
    } else {
      this.#run("rollback");
    }
    this.#leave();
    return seen;
  }

  /** Runs `work` in its turn with no transaction open. */
  async alone<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#lock.acquire(this.busyMs);
    try {
      this.#commit();
      return await work();
    } finally {
      this.#lock.release();
    }
  }

  /** Runs `work` at once with no transaction open; `false` while a unit has its turn. */
  aloneNow(work: () => void): boolean {
    if (this.#lock.held) return false;
    this.#commit();
    work();
    return true;
  }

  #leave(): void {
    if (this.#due || this.#waiting.length >= MOST_TOGETHER) this.#commit();
    else if (this.#waiting.length > 0) this.#schedule();
    this.#lock.release();
  }

  /** Commits after one more look at what has come in: the first round ends the present one, the second is the look. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() =>
      setImmediate(() => {
        this.#scheduled = false;
        if (this.#lock.held) this.#due = true;
        else this.#commit();
      }),
    );
  }

  #commit(): void {
    this.#due = false;
    if (this.#waiting.length === 0) return;
    try {
      this.#run("commit");
    } catch (error) {
      if (this.statements.db.inTransaction) this.#run("rollback");
      this.#answerWaiting((waiting) => waiting.reject(storeError(error)));
      return;
    }
    this.#answerWaiting((waiting) => waiting.resolve());
  }

  #answerWaiting(each: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) each(one);
  }

  #run(sql: string): void {
    this.statements.of(sql).run();
  }
}
