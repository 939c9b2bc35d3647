import { setImmediate as turn } from "node:timers/promises";
import { holdTurn, StoreError } from "@reeve/core/store";
import { Semaphore } from "@reeve/store-sql";
import { storeError } from "./errors.js";
import { OpenedFile } from "./opened-file.js";
import { retryWhileBusy } from "./retry-while-busy.js";
import type { Statements } from "./statements.js";
import type { WriterLease } from "./unit.js";

/** The most units in one commit, and how long the first waits for others at most, in ms. */
const MOST_TOGETHER = 64;
const LONGEST_MS = 50;
/** Turns of the event loop without a newcomer after which a commit is due. */
const QUIET_TURNS = 2;

/** How long a commit shows that writes are taken, in ms. */
const LATELY_MS = 1_000;
/** How long one probe waits for another process, in ms. It is shorter than the patience of who asks. */
const PROBE_MS = 250;

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Gives the one writing connection to one unit at a time. It commits units that follow each other closely together, so
 * that they wait for the disk once. Each resolves only after its writes are committed.
 */
export class GroupCommit implements WriterLease {
  readonly file: OpenedFile;
  readonly #lock = new Semaphore(1, "another transaction did not end in time");
  /** Finished units that wait for the commit of the open transaction. */
  #waiting: Waiting[] = [];
  #committedAt = Number.NEGATIVE_INFINITY;
  /** When the lock was last taken, and when a probe first found the writer taken elsewhere. */
  #takenAt = 0;
  #shutSince: number | undefined;
  #probing: Promise<boolean> | undefined;
  #scheduled = false;
  #due = false;
  #gathering: Promise<void> | undefined;
  #letTurnGo: (() => void) | undefined;
  /** Work that waits for the open transaction to end. */
  #after: (() => void)[] = [];

  /** `besideHost` is for the file of a host's handle: no transaction then outlasts the turn of the event loop it began in. */
  constructor(
    readonly statements: Statements,
    private readonly busyMs: number,
    private readonly besideHost = false,
  ) {
    this.file = new OpenedFile(statements.db.name);
  }

  /**
   * Waits for the lease. Begins a transaction, or a savepoint in the open one. A unit that may hold the lease for long
   * does not join the open one, which is committed first.
   */
  async enter(mayJoin: boolean): Promise<void> {
    if (this.besideHost) await this.#gathered();
    await this.#take();
    try {
      if (!mayJoin) this.#commit();
      if (this.#waiting.length > 0) this.#run("savepoint unit");
      else await retryWhileBusy(this.busyMs, () => this.#run("begin immediate"));
      if (this.besideHost) this.#letTurnGo = holdTurn();
    } catch (error) {
      this.#leave();
      throw storeError(error);
    }
  }

  /** Ends the lease and keeps its writes. Resolves after the commit. */
  keep(): Promise<void> {
    if (this.#waiting.length > 0) this.#run("release unit");
    const kept = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#leave();
    return kept;
  }

  /**
   * Ends the lease and undoes its writes, because of `cause` if given. Resolves when all that the unit has read is
   * committed, so that whoever hears of a taken key can look up its holder. Rejects when it is not, because a refusal
   * that rests on it would be wrong.
   */
  drop(cause: unknown): Promise<void> {
    let seen = this.besideHost ? turn() : Promise.resolve();
    if (!this.statements.db.inTransaction) {
      // A full or broken disk undoes the whole transaction, whichever unit met the error.
      const failure = cause ?? new StoreError("unavailable", "the database undid the transaction");
      this.#answerWaiting((waiting) => waiting.reject(failure));
    } else if (this.#waiting.length > 0) {
      this.#run("rollback to unit");
      this.#run("release unit");
      seen = new Promise((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
      });
    } else {
      this.#run("rollback");
    }
    this.#leave();
    return seen;
  }

  /** Runs `work` under the lease, with no transaction open. */
  async alone<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#take();
    try {
      this.#commit();
      return await work();
    } finally {
      this.#runAfter();
      this.#lock.giveBack();
    }
  }

  /**
   * Runs `work` with no transaction open: at once, or when the open one has ended. It ends none early, because units that
   * follow would then wait for the disk once more. `work` must not throw.
   */
  afterCommit(work: () => void): void {
    this.#after.push(work);
    if (!this.#lock.full && this.#waiting.length === 0) this.#runAfter();
  }

  #runAfter(): void {
    for (const work of this.#after.splice(0)) work();
  }

  /**
   * All that ask before the next turn of the event loop go on in it together. Nothing of the host's runs in that turn, so
   * none of its statements waits for the lock, which would keep the event loop from every later turn.
   */
  #gathered(): Promise<void> {
    this.#gathering ??= turn().then(() => {
      this.#gathering = undefined;
    });
    return this.#gathering;
  }

  async #take(): Promise<void> {
    await this.#lock.take(this.busyMs);
    this.#takenAt = performance.now();
  }

  /**
   * Whether a write that begins now is stored in time, as far as can be known. Nobody is asked while one has just been
   * committed. A writer, here or in another process, may take as long as writes wait.
   */
  takesWrites(): Promise<boolean> {
    if (performance.now() - this.#committedAt < LATELY_MS) return Promise.resolve(true);
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probe(): Promise<boolean> {
    const now = performance.now();
    if (this.#lock.full && now - this.#takenAt > this.busyMs) return false;
    try {
      await retryWhileBusy(PROBE_MS, () => {
        // A unit of this process that waits for the lock itself answers once it has it.
        if (this.statements.db.inTransaction) return;
        this.#beginAndEnd();
      });
      this.#shutSince = undefined;
      return true;
    } catch {
      this.#shutSince ??= now;
      return performance.now() - this.#shutSince < this.busyMs;
    }
  }

  #beginAndEnd(): void {
    this.#run("begin immediate");
    this.#run("rollback");
  }

  #leave(): void {
    this.#letTurnGo?.();
    this.#letTurnGo = undefined;
    const isDue = this.besideHost ? !this.#lock.awaited : this.#due;
    if (isDue || this.#waiting.length >= MOST_TOGETHER) this.#commit();
    else if (this.#waiting.length > 0 && !this.besideHost) this.#schedule();
    if (this.#waiting.length === 0) this.#runAfter();
    this.#lock.giveBack();
  }

  /** Commits once no work arrives any more that could join the commit, or the first has waited for long enough. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const end = performance.now() + LONGEST_MS;
    let [seen, quiet] = [this.#waiting.length, 0];
    const turn = () => {
      quiet = this.#waiting.length === seen ? quiet + 1 : 0;
      seen = this.#waiting.length;
      if (quiet < QUIET_TURNS && performance.now() < end) return void setImmediate(turn);
      this.#scheduled = false;
      if (this.#lock.full) this.#due = true;
      else {
        this.#commit();
        this.#runAfter();
      }
    };
    setImmediate(turn);
  }

  #commit(): void {
    this.#due = false;
    if (this.#waiting.length === 0) return;
    try {
      this.file.assertThere();
      this.#run("commit");
    } catch (error) {
      if (this.statements.db.inTransaction) this.#run("rollback");
      this.#answerWaiting((waiting) => waiting.reject(storeError(error)));
      return;
    }
    this.#committedAt = performance.now();
    this.#answerWaiting((waiting) => waiting.resolve());
  }

  #answerWaiting(each: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    // In a turn of its own, because other units may follow in this one.
    const answer = () => {
      for (const one of waiting) each(one);
    };
    if (this.besideHost) setImmediate(answer);
    else answer();
  }

  #run(sql: string): void {
    this.statements.of(sql).run();
  }
}
