import { StoreError } from "@reeve/core/store";
import type { Answer, Step } from "../connect/pipelined-batch.js";
import type { Session } from "../connect/session.js";
import { beginStep, commitStep, lockSteps, releaseStep, savepointStep, undoStep } from "../connect/steps.js";
import type { PostCommitReads } from "../query/post-commit-reads.js";
import { isOfAll, lastWordError, storeError } from "../statement/errors.js";
import { type Part, PartFailed, togetherOf } from "./part.js";
import type { Begin, Turns } from "./turns.js";

/** The most units in one commit: half the subtransactions of a transaction that the server keeps at hand. */
const MOST_TOGETHER = 32;
/** How long a group takes in more units, in ms, because the first ones wait for its commit. */
const OPEN_MS = 100;

/** A unit that has ended its part and waits for the commit. */
interface Ended {
  /** The reads behind the commit, if the unit's writes are kept. */
  readonly reads?: PostCommitReads;
  done(): void;
  fail(error: StoreError): void;
}

/**
 * One database transaction for units of a tenant that follow each other closely, so that they wait for the disk once.
 * One unit runs at a time, and those after the first run behind a savepoint. All are told after the commit.
 */
export class Group {
  readonly #ended: Ended[] = [];
  readonly #since = performance.now();
  #isSealed = false;
  /** Whether there is a savepoint. */
  #isMarked = false;
  #closing: Promise<unknown> | undefined;

  constructor(
    readonly session: Session,
    private readonly tenantId: string,
    private readonly turns: Turns<Group>,
  ) {}

  /** Takes in no more units, because the transaction holds the lock of a second tenant. */
  seal(): void {
    this.#isSealed = true;
  }

  /** Whether another unit waits that may follow in the same transaction. */
  get hasNext(): boolean {
    return this.#room > 0 && this.turns.hasNext(this.tenantId);
  }

  /** Runs a unit that only writes, and those that wait behind it, in a transaction that has not begun. */
  async lead(part: Part): Promise<void> {
    const { session } = this;
    // The lock is taken before the savepoint, because undoing a unit would release it.
    const opening = [beginStep(session), ...lockSteps(session, this.tenantId), ...this.#between()];
    this.#goOn(opening, [part]);
    await part.outcome;
  }

  /**
   * Ends a unit with its last steps and keeps its writes. The result's `committed` resolves after the commit. If this
   * rejects, the unit must be dropped.
   */
  async keep(steps: readonly Step[], reads: PostCommitReads): Promise<{ readonly committed: Promise<void> }> {
    if (!this.hasNext) {
      await this.commit([...steps, commitStep(this.session)], reads);
      return { committed: Promise.resolve() };
    }
    await this.session.send([...steps, ...this.#between()]);
    const committed = new Promise<void>((done, fail) => this.#ended.push({ reads, done, fail }));
    this.#goOn([], []);
    return { committed };
  }

  /** Commits by the last of these steps, and sends the reads of all units behind them. */
  async commit(steps: readonly Step[], ...own: readonly PostCommitReads[]): Promise<void> {
    const all = [...this.#ended.flatMap(({ reads }) => reads ?? []), ...own].filter((reads) => reads.some);
    let behind: readonly Promise<readonly Answer[]>[];
    try {
      const reading = all.map((reads) => reads.leave(this.session));
      const [first, ...others] =
        reading.length > 0 ? this.session.sendTogether([steps, ...reading]) : [this.session.send(steps)];
      // Their readers hear of failures. Nobody listens yet.
      for (const answers of others) answers.catch(() => undefined);
      assertCommitted(await (first as Promise<readonly Answer[]>), steps);
      behind = others;
    } catch (error) {
      for (const reads of all) reads.stay();
      throw lastWordError(error);
    }
    for (const [at, reads] of all.entries()) reads.answer(behind[at] as Promise<readonly Answer[]>);
    if (behind.length === 0) this.session.release();
    else this.#closing = Promise.allSettled(behind).then(() => this.session.release());
    for (const unit of this.#ended) unit.done();
    this.turns.leave(this.tenantId);
  }

  /**
   * Undoes a unit that failed, because of `cause` if given, and keeps the others. Returns whether all that the unit has
   * read of the others is committed.
   */
  async drop(isBegun: boolean, cause: unknown): Promise<boolean> {
    if (!this.#isShared) {
      await this.#rollBack(isBegun);
      this.turns.leave(this.tenantId, cause);
      return true;
    }
    if (isOfAll(cause)) {
      await this.#fail(cause);
      return false;
    }
    const isSeen = this.#seen();
    this.#goOn([undoStep(this.session)], []);
    return isSeen;
  }

  /** Resolves once the connection is back, if it was kept for these reads, too. Nobody waits for those of others. */
  async closed(reads: PostCommitReads): Promise<void> {
    if (reads.wereSent) await this.#closing;
  }

  /** Whether the transaction has writes of other units. */
  get #isShared(): boolean {
    return this.#ended.length > 0;
  }

  /** How many units may follow. */
  get #room(): number {
    const isOver = this.#isSealed || performance.now() - this.#since > OPEN_MS;
    return isOver ? 0 : MOST_TOGETHER - 1 - this.#ended.length;
  }

  /** The steps between what is kept and what may be undone. */
  #between(): Step[] {
    const release = this.#isMarked ? [releaseStep(this.session)] : [];
    this.#isMarked = true;
    return [...release, savepointStep(this.session)];
  }

  /** Whether the commit comes that a unit waits for which was undone. */
  #seen(): Promise<boolean> {
    return new Promise((report) => this.#ended.push({ done: () => report(true), fail: () => report(false) }));
  }

  /** Goes on without the unit that had the turn: runs these parts and what else waits, and commits. */
  #goOn(opening: readonly Step[], parts: readonly Part[]): void {
    this.#runParts(opening, parts).catch(() => undefined);
  }

  async #runParts(opening: readonly Step[], first: readonly Part[]): Promise<void> {
    let [before, parts] = [opening, [...first]];
    let next: Begin<Group> | undefined;
    try {
      parts.push(...this.turns.parts(this.tenantId, this.#room - parts.length));
      if (this.#room > parts.length) next = this.turns.joining(this.tenantId);
      // Steps that open a group set its tenant, which all of its parts have. Whoever had the turn before may read another.
      const isSet = opening.length > 0;
      const together = togetherOf(this.session, parts, isSet);
      if (together) {
        if (!(await this.#attempt([...before, ...together], parts, next))) return;
        before = [undoStep(this.session)];
      }
      parts = parts.filter((part) => part.prepare(this.session, isSet));
      for (;;) {
        const failed = await this.#attempt([...before, ...stepsOf(parts)], parts, next);
        if (!failed) return;
        const at = failed.part ? parts.indexOf(failed.part) : -1;
        if (at < 0) throw metAnother(failed.cause);
        const kept = parts.slice(0, at);
        before = [undoStep(this.session), ...stepsOf(kept), ...this.#between()];
        this.#ended.push(...kept, refused(failed, failed.part as Part));
        parts = parts.slice(at + 1);
      }
    } catch (error) {
      await this.#fail(error, parts, next);
    }
  }

  /** Runs parts in one round trip, and then commits or gives the turn to a unit. Returns what failed of the parts. */
  async #attempt(
    steps: readonly Step[],
    parts: readonly Part[],
    next: Begin<Group> | undefined,
  ): Promise<PartFailed | undefined> {
    try {
      if (next) {
        await this.session.send([...steps, ...this.#between()]);
        this.#ended.push(...parts);
        next(this);
        return undefined;
      }
      await this.commit([...steps, commitStep(this.session)], ...parts.map(({ reads }) => reads));
      for (const part of parts) part.done();
      return undefined;
    } catch (error) {
      if (error instanceof PartFailed) return error;
      throw error;
    }
  }

  async #rollBack(isBegun = true): Promise<void> {
    try {
      if (isBegun) await this.session.simple("rollback");
      this.session.release();
    } catch {
      // The state is unknown, so the connection is destroyed and the server rolls back.
      this.session.release(true);
    }
  }

  /** Ends the transaction without a commit, and tells everybody in it. */
  async #fail(cause: unknown, parts: readonly Part[] = [], next?: Begin<Group>): Promise<void> {
    await this.#rollBack();
    const error = storeError(cause);
    const reported = StoreError.is(error)
      ? error
      : new StoreError("unavailable", "the transaction was not committed", { cause });
    for (const unit of [...this.#ended, ...parts]) unit.fail(reported);
    if (next) next();
    else this.turns.leave(this.tenantId, reported);
  }
}

/** A part that was undone. It is told when what it has seen of the others is committed. */
function refused({ cause }: PartFailed, part: Part): Ended {
  return { done: () => part.fail(cause, true), fail: () => part.fail(cause, false) };
}

/** What to tell all of them when a part fails that was done before it was undone together with another. */
function metAnother(cause: unknown): unknown {
  // A refusal is of one unit, so the others cannot be told of it. As nothing is stored, all may run again.
  return StoreError.is(cause) ? new StoreError("conflict", "another transaction came in between", { cause }) : cause;
}

function stepsOf(parts: readonly Part[]): Step[] {
  return parts.flatMap(({ steps }) => steps);
}

/** A database that cannot commit may answer a commit with a rollback. */
function assertCommitted(answers: readonly Answer[], steps: readonly Step[]): void {
  if (steps.at(-1)?.text === "commit" && answers.at(-1)?.tag !== "COMMIT")
    throw new StoreError("aborted", "the database rolled the transaction back");
}
