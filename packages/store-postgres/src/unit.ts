import { type Reader, StoreError } from "@reeve/core/store";
import { type Query, type Rows, SqlReader, type Unit, type Values, type Write } from "@reeve/store-sql";
import { PostgresAccess } from "./access.js";
import { batches } from "./batch.js";
import { seeksRows } from "./batch-statement.js";
import { lastWordError, storeError } from "./errors.js";
import { OptimisticReads, optimisticReadFailed } from "./optimistic-reads.js";
import type { Answer, Step } from "./pipelined-batch.js";
import { type Outside, PostCommitReads } from "./post-commit-reads.js";
import type { Session } from "./session.js";
import { batchSteps, beginStep, commitStep, committingSteps, lockStep, secondLockSteps } from "./steps.js";

/** The connection of a transaction, and facts about the database. */
export interface ConnectionProvider extends Outside {
  acquire(): Promise<Session>;
}

/** A pending read of the work. */
interface Asked {
  readonly query: Query;
  readonly values: Values;
  /** The tenant whose lock the read needs. */
  readonly lock: string;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * One transaction. Writes are held until the first read, so work that only writes becomes one statement in one round
 * trip. `BEGIN` is sent with the first read and `COMMIT` with the last writes.
 */
export class PostgresUnit implements Unit {
  readonly access: PostgresAccess;
  readonly #held: Write[] = [];
  readonly #locked = new Set<string>();
  readonly #optimistic = new OptimisticReads();
  readonly #postCommitReads: PostCommitReads;
  #failedByItself = false;
  #begun = false;
  #session: Session | undefined;
  #ended = false;
  #failure: { readonly cause: unknown } | undefined;

  /**
   * `tenants` keeps across retries which tenants this transaction locked, so that the next try locks them in one order.
   * With `mayReadEarly`, single rows are read without the lock. Rejects with `conflict` when the work needs the lock
   * after all.
   */
  constructor(
    private readonly connections: ConnectionProvider,
    private readonly tenants: Set<string> = new Set(),
    private readonly mayReadEarly = false,
  ) {
    this.#postCommitReads = new PostCommitReads(connections);
    this.access = new PostgresAccess(
      (query, values) => this.#ask(query, values, String(values.tenant)),
      () => connections.hasSearchIndex(),
    );
  }

  /** Serialises the steps of one transaction, whatever the work does concurrently. */
  #turn: Promise<unknown> = Promise.resolve();
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    // The caller gets the failure by `result`. The next step runs either way.
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Reads that have not been sent. Concurrent reads share one round trip. */
  readonly #asked: Asked[] = [];

  #ask(query: Query, values: Values, lock: string): Promise<Rows> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ query, values, lock, resolve, reject });
      this.#inTurn(() => this.#readAsked());
    });
  }

  async #readAsked(): Promise<void> {
    const tenant = this.#asked[0]?.lock;
    const others = this.#asked.findIndex(({ lock }) => lock !== tenant);
    const asked = this.#asked.splice(0, others < 0 ? this.#asked.length : others);
    if (asked.length === 0) return;
    try {
      const answers = await this.#read(asked);
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]?.rows ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Each statement sees what is committed when it begins, so these reads see what others commit during the transaction. */
  committed(own: string, tenantId: string): Reader {
    const access = new PostgresAccess(
      (query, values) => this.#ask(query, values, own),
      () => this.connections.hasSearchIndex(),
    );
    return new SqlReader(tenantId, access);
  }

  afterCommit(tenantId: string): Reader {
    return this.#postCommitReads.reader(tenantId);
  }

  /** Whether optimistic reads failed because of the work itself, so that they would fail again. */
  get failedByItself(): boolean {
    return this.#failedByItself;
  }

  async write(make: () => Write): Promise<void> {
    this.#assertSound();
    try {
      this.#held.push(make());
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async commit(): Promise<void> {
    await this.#inTurn(() => this.#commit());
    this.#postCommitReads.commit();
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#turn;
    await this.#postCommitReads.end();
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    try {
      // After an error the driver reports an old state, so the transaction tracks itself whether it began.
      if (this.#begun) await session.simple("rollback");
      session.release();
    } catch {
      // The state is unknown, so the connection is destroyed and the server rolls back.
      session.release(true);
    }
  }

  async #commit(): Promise<void> {
    this.#assertSound();
    const groups = batches(this.#held.splice(0));
    const [first] = groups;
    if (!this.#begun && !first)
      return this.#postCommitReads.some ? this.#postCommitReads.alone(await this.#open()) : undefined;
    const session = await this.#open();
    const atOnce = !this.#begun && first && groups.length === 1 && !first.some(seeksRows);
    if (this.#optimistic.some && !(atOnce && this.#optimistic.coveredBy(first))) throw this.#tooEarly();
    if (atOnce) {
      await this.#runLastStep(() =>
        this.#postCommitReads.send(session, committingSteps(batchSteps(session, first, false))),
      );
      return;
    }
    const opening = first && !this.#begun ? this.#opening(session, (first[0] as Write).tenantId) : [];
    const steps = [...opening, ...this.#flush(session, groups), commitStep(session)];
    const answers = await this.#runLastStep(() => this.#postCommitReads.send(session, steps));
    this.#begun = false;
    if (answers.at(-1)?.tag !== "COMMIT") throw new StoreError("aborted", "the database rolled the transaction back");
  }

  async #read(asked: readonly Asked[]): Promise<readonly Answer[]> {
    this.#assertSound();
    try {
      const session = await this.#open();
      const queries = asked.map(({ query, values }) => session.query(query, values));
      const points = asked.every(({ query, values, lock }) => query.point !== undefined && values.tenant === lock);
      if (this.mayReadEarly && !this.#begun && points && this.#held.length === 0) {
        const answers = await session.send(queries);
        for (const [at, { query, values }] of asked.entries())
          this.#optimistic.note(query, values, answers[at]?.rows ?? []);
        return answers;
      }
      if (this.#optimistic.some) throw this.#tooEarly();
      const opening = this.#opening(session, (asked[0] as Asked).lock);
      const held = this.#flush(session, batches(this.#held.splice(0)));
      const answers = await session.send([...opening, ...held, ...queries]);
      return answers.slice(-asked.length);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #open(): Promise<Session> {
    this.#session ??= await this.connections.acquire();
    return this.#session;
  }

  /**
   * The steps that begin the transaction and take the tenant's lock, if needed. The lock counts as held from now on,
   * because the whole transaction fails if a step does.
   */
  #opening(session: Session, tenantId: string): Step[] {
    if (this.#locked.has(tenantId)) return [];
    this.tenants.add(tenantId);
    if (this.#begun) {
      this.#locked.add(tenantId);
      return secondLockSteps(session, tenantId);
    }
    this.#begun = true;
    // Locks what an earlier try locked, in one order, so that the same two transactions do not block each other again.
    const tenants = [...this.tenants].sort();
    for (const tenant of tenants) this.#locked.add(tenant);
    return [beginStep(session), ...tenants.map((tenant) => lockStep(session, tenant))];
  }

  #flush(session: Session, groups: readonly (readonly Write[])[]): Step[] {
    return groups.flatMap((batch) => {
      const { tenantId } = batch[0] as Write;
      const steps = batchSteps(session, batch, this.#locked.has(tenantId));
      this.tenants.add(tenantId);
      this.#locked.add(tenantId);
      return steps;
    });
  }

  /** Runs the end of the transaction. If the connection breaks meanwhile, its outcome is unknown. */
  async #runLastStep<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (this.#optimistic.some && StoreError.is(error) && error.code === "stale")
        throw this.#fail(optimisticReadFailed(error));
      throw this.#fail(lastWordError(error));
    }
  }

  #tooEarly(): unknown {
    this.#failedByItself = true;
    return this.#fail(optimisticReadFailed());
  }

  #fail(error: unknown): unknown {
    const failure = storeError(error);
    this.#failure ??= { cause: failure };
    return failure;
  }

  #assertSound(): void {
    if (this.#ended) throw new StoreError("aborted", "the transaction has ended");
    if (!this.#failure) return;
    const { cause } = this.#failure;
    // Retries even if the work swallowed the first failure.
    if (StoreError.is(cause) && cause.code === "conflict") throw cause;
    throw new StoreError("aborted", "a step failed, so nothing is stored", { cause });
  }
}
