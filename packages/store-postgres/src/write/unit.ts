import { setImmediate } from "node:timers/promises";
import { type Reader, StoreError } from "@reeve/core/store";
import { SqlReader, type TableSpec, type Unit, type Write } from "@reeve/store-sql";
import type { Answer, Step } from "../connect/pipelined-batch.js";
import type { Session } from "../connect/session.js";
import { batchSteps, beginStep, committingSteps, lockSteps, secondLockSteps } from "../connect/steps.js";
import { PostgresAccess } from "../query/access.js";
import { OptimisticReads, optimisticReadFailed } from "../query/optimistic-reads.js";
import { type Outside, PostCommitReads } from "../query/post-commit-reads.js";
import { type Asked, ReadQueue } from "../query/read-queue.js";
import { seeksRows } from "../statement/batch-statement.js";
import { storeError } from "../statement/errors.js";
import { Group } from "./group.js";
import { HeldWrites } from "./held-writes.js";
import { Part } from "./part.js";
import { PROMPT_MS, type PromptKinds } from "./prompt-kinds.js";
import type { Turns } from "./turns.js";

/** The connections of transactions, whose turn it is in a tenant, and facts about the database. */
export interface ConnectionProvider extends Outside {
  readonly turns: Turns<Group>;
  readonly promptKinds: PromptKinds;
  readonly specs: readonly TableSpec[];
  acquire(): Promise<Session>;
}

/**
 * One transaction. Writes are held until the next read, so work that only writes becomes one statement in one round
 * trip. After a read many of them are sent ahead. `BEGIN` is sent with the first read and `COMMIT` with the last writes.
 * It waits for its turn in the tenant without a connection, and may become part of a group that commits together.
 */
export class PostgresUnit implements Unit {
  readonly access: PostgresAccess;
  readonly held = new HeldWrites();
  readonly #locked = new Set<string>();
  readonly #optimistic = new OptimisticReads();
  readonly #postCommitReads: PostCommitReads;
  #failedByItself = false;
  #begun = false;
  /** The connection of reads before the turn. */
  #session: Session | undefined;
  /** The group in which this unit has the turn, and since when. */
  #group: Group | undefined;
  #since = 0;
  /** What others may run of this unit, and the group that it has led or left. */
  #part: Part | undefined;
  #committed: Group | undefined;
  #overdue: NodeJS.Timeout | undefined;
  /** Whether all that this unit has read is committed, once it was dropped. */
  #dropped: Promise<boolean> | undefined;
  #ended = false;
  #failure: { readonly cause: unknown; readonly isAhead: boolean } | undefined;
  /** The sending of writes ahead of the commit. */
  #ahead: Promise<void> | undefined;

  /**
   * `tenants` keeps across retries which tenants this transaction locked, so that the next try locks them in one order.
   * With `mayReadEarly`, single rows are read without the lock. Rejects with `conflict` when the work needs the lock
   * after all. Work of a `kind` that is soon done may join others although it reads.
   */
  constructor(
    private readonly connections: ConnectionProvider,
    private readonly tenants: Set<string> = new Set(),
    private readonly mayReadEarly = false,
    private readonly kind?: string,
  ) {
    this.#postCommitReads = new PostCommitReads(connections);
    this.access = new PostgresAccess(
      (query, values) => this.#reads.ask(query, values, String(values.tenant)),
      () => connections.hasSearchIndex(),
      (work) => work(this.access),
      connections.specs,
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

  readonly #reads = new ReadQueue(
    (asked) => this.#read(asked),
    (step) => this.#inTurn(step),
  );

  /** Each statement sees what is committed when it begins, so these reads see what others commit during the transaction. */
  committed(own: string, tenantId: string): Reader {
    const access = new PostgresAccess(
      (query, values) => this.#reads.ask(query, values, own),
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
      this.held.add(make());
    } catch (error) {
      throw this.#fail(error);
    }
    if (this.#group && this.held.areMany) {
      // Work that is faster than the server waits for it here.
      await this.#ahead;
      // Of writes that waited here together, the first sends what all of them hold.
      this.#ahead ??= this.#inTurn(() => this.#sendAhead());
    }
    // Only the event loop moves bytes, and the work may not come to it for long.
    if (this.#ahead) await setImmediate();
  }

  /** Sends what is held, so that the server works while the work goes on. All later steps hear of a failure. */
  async #sendAhead(): Promise<void> {
    try {
      this.#assertSound();
      const { session } = this.#group as Group;
      await session.send(this.#flush(session, this.held.take()));
    } catch (error) {
      this.#fail(error, true);
    }
    this.#ahead = undefined;
  }

  async commit(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#commit();
      this.#ended = true;
    });
    this.#postCommitReads.commit();
  }

  /** Ends the transaction. Returns whether all that it has read is committed. */
  async end(): Promise<boolean> {
    this.#ended = true;
    await this.#turn;
    this.#session?.release();
    this.#session = undefined;
    if (this.#group) this.#drop();
    const isSeen = (await this.#dropped) ?? this.#part?.isSeen ?? true;
    await this.#postCommitReads.end();
    await this.#committed?.closed(this.#postCommitReads);
    return isSeen;
  }

  async #commit(): Promise<void> {
    this.#assertSound();
    const groups = this.held.take();
    const [first] = groups;
    if (!this.#begun && !first) {
      if (this.#postCommitReads.some) await this.#postCommitReads.alone(await this.#open());
      return;
    }
    const isOne = !this.#begun && first && groups.length === 1 && !first.some(seeksRows);
    if (this.#optimistic.some && !(isOne && this.#optimistic.coveredBy(first))) throw this.#tooEarly();
    try {
      await this.#end(groups, isOne ? first : undefined);
    } catch (error) {
      if (this.#optimistic.some && StoreError.is(error) && error.code === "stale")
        throw this.#fail(optimisticReadFailed(error));
      throw this.#fail(error);
    }
  }

  /** Runs the last steps. `only` is all of them if one statement can do it. */
  async #end(groups: readonly (readonly Write[])[], only: readonly Write[] | undefined): Promise<void> {
    const tenantId = groups[0]?.[0]?.tenantId;
    if (tenantId !== undefined && !this.#group) {
      if (await this.#takePart(tenantId, groups)) return;
    }
    const group = this.#group as Group;
    const { session } = group;
    const reads = this.#postCommitReads;
    // A cluster hears of a tenant only within a transaction.
    if (only && !this.#begun && !group.hasNext && !session.isDistributed) {
      await group.commit(committingSteps(batchSteps(session, only, false)), reads);
      this.#committed = this.#leave();
      return;
    }
    const opening = this.#begun || tenantId === undefined ? [] : this.#opening(session, tenantId);
    const { committed } = await group.keep([...opening, ...this.#flush(session, groups, opening)], reads);
    this.#committed = this.#leave();
    await committed;
  }

  /**
   * Waits for the turn of a transaction that only writes. Returns whether it was committed together with others
   * meanwhile.
   */
  async #takePart(tenantId: string, groups: readonly (readonly Write[])[]): Promise<boolean> {
    const tenants = new Set([...this.tenants, ...groups.flat().map((write) => write.tenantId)]);
    if (tenants.size > 1) {
      await this.#sit(tenantId, {});
      return false;
    }
    const part = new Part(groups.flat(), this.#postCommitReads);
    this.#part = part;
    const isDone = await Promise.race([part.outcome.then(() => true), this.#sit(tenantId, { part }).then(() => false)]);
    const group = this.#group;
    if (isDone || !group?.hasNext) return isDone;
    this.#group = undefined;
    this.#committed = group;
    await group.lead(part);
    return true;
  }

  async #read(asked: readonly Asked[]): Promise<readonly Answer[]> {
    this.#assertSound();
    try {
      const points = asked.every(({ query, values, lock }) => query.point !== undefined && values.tenant === lock);
      if (this.mayReadEarly && !this.#begun && points && this.held.isEmpty) {
        const early = await this.#open();
        const answers = await early.send(asked.map(({ query, values }) => early.query(query, values)));
        for (const [at, { query, values }] of asked.entries())
          this.#optimistic.note(query, values, answers[at]?.rows ?? []);
        return answers;
      }
      if (this.#optimistic.some) throw this.#tooEarly();
      const { lock } = asked[0] as Asked;
      const { session } = await this.#sit(lock, { mayJoin: this.connections.promptKinds.has(this.kind) });
      const queries = asked.map(({ query, values }) => session.query(query, values));
      const opening = this.#opening(session, lock);
      const held = this.#flush(session, this.held.take(), opening);
      return (await session.send([...opening, ...held, ...queries])).slice(-asked.length);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #open(): Promise<Session> {
    this.#session ??= await this.connections.acquire();
    return this.#session;
  }

  /** Waits for the turn in a tenant, and begins a group or joins the one that is open. */
  async #sit(tenantId: string, how: { readonly part?: Part; readonly mayJoin?: boolean }): Promise<Group> {
    if (this.#group) return this.#group;
    const { turns } = this.connections;
    if (!turns.takeAtOnce(tenantId)) {
      // Whoever has the turn may need the connection.
      this.#session?.release();
      this.#session = undefined;
      // One that needs the locks of two tenants is alone, because it takes them in one order.
      const isAlone = [...this.tenants].some((other) => other !== tenantId);
      this.#group = await turns.take(tenantId, isAlone ? {} : how);
      if (this.#group) {
        this.#begun = true;
        this.#lock(tenantId);
        this.#overdue = setTimeout(() => void this.#inTurn(() => this.#yield()), PROMPT_MS);
      }
    }
    try {
      this.#group ??= new Group(await this.#open(), tenantId, turns);
    } catch (error) {
      turns.leave(tenantId);
      throw error;
    }
    this.#session = undefined;
    this.#since = performance.now();
    return this.#group;
  }

  /** Lets the others of the group go on, who wait longer than was to be expected. The work runs again without them. */
  async #yield(): Promise<void> {
    if (!this.#group) return;
    this.#fail(new StoreError("conflict", "other transactions could not wait for this one"));
    this.#drop();
  }

  #drop(): void {
    const group = this.#leave();
    this.#dropped = group?.drop(this.#begun, this.#failure?.cause);
  }

  #leave(): Group | undefined {
    const group = this.#group;
    clearTimeout(this.#overdue);
    this.#group = undefined;
    if (group) this.connections.promptKinds.note(this.kind, performance.now() - this.#since);
    return group;
  }

  /** Notes a lock that is held from now on, because the whole transaction fails if the step that takes it does. */
  #lock(tenantId: string): void {
    this.tenants.add(tenantId);
    this.#locked.add(tenantId);
    if (this.#locked.size > 1) this.#group?.seal();
  }

  /** The steps that begin the transaction and take the tenant's lock, if needed. */
  #opening(session: Session, tenantId: string): Step[] {
    if (this.#locked.has(tenantId)) return [];
    if (this.#begun) {
      this.#lock(tenantId);
      return secondLockSteps(session, tenantId);
    }
    this.#begun = true;
    this.tenants.add(tenantId);
    // Locks what an earlier try locked, in one order, so that the same two transactions do not block each other again.
    const tenants = [...this.tenants].sort();
    for (const tenant of tenants) this.#lock(tenant);
    return [beginStep(session), ...tenants.flatMap((tenant) => lockSteps(session, tenant))];
  }

  /** The steps of writes, right after those of `opening`, which leave the tenant set that was locked last. */
  #flush(session: Session, groups: readonly (readonly Write[])[], opening: readonly Step[] = []): Step[] {
    let set = opening.length > 0 ? [...this.#locked].at(-1) : undefined;
    return groups.flatMap((batch) => {
      const { tenantId } = batch[0] as Write;
      const [locked, isSet] = [this.#locked.has(tenantId), tenantId === set];
      this.#lock(tenantId);
      set = tenantId;
      return batchSteps(session, batch, locked, isSet);
    });
  }

  #tooEarly(): unknown {
    this.#failedByItself = true;
    return this.#fail(optimisticReadFailed());
  }

  #fail(error: unknown, isAhead = false): unknown {
    const failure = storeError(error);
    this.#failure ??= { cause: failure, isAhead };
    return failure;
  }

  #assertSound(): void {
    if (this.#ended) throw new StoreError("aborted", "the transaction has ended");
    if (!this.#failure) return;
    const { cause, isAhead } = this.#failure;
    // No step was refused yet, and of several at once any may be the one whose failure counts.
    if (isAhead) throw cause;
    // Retries even if the work swallowed the first failure.
    if (StoreError.is(cause) && cause.code === "conflict") throw cause;
    throw new StoreError("aborted", "a step failed, so nothing is stored", { cause });
  }
}
