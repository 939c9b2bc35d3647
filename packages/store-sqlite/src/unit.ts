import { atOnce, EventLoopYielder, Outcome, type Reader, StoreError } from "@reeve/core/store";
import { isOfRecords, SqlReader, type TableSpec, type Unit, type Write } from "@reeve/store-sql";
import { SqliteAccess } from "./access.js";
import { storeError } from "./errors.js";
import type { PromptKinds } from "./prompt-kinds.js";
import type { Statements } from "./statements.js";
import { applyWrites } from "./writes.js";

/** The lease of the one writing connection, for a transaction. */
export interface WriterLease {
  readonly statements: Statements;
  /**
   * Waits for the lease. The writes from then on are kept or dropped together. One that may not join others is told
   * apart, because they would wait for its end.
   */
  enter(mayJoin: boolean): Promise<void>;
  /** Ends the lease and keeps its writes. Resolves after the commit. */
  keep(): Promise<void>;
  /**
   * Ends the lease and undoes its writes. `cause` is the failure of a statement, if any. Resolves once all that was
   * read under the lease is committed, and rejects when it cannot be.
   */
  drop(cause: unknown): Promise<void>;
}

/**
 * One transaction. Writes are held until the next read, so that those between two reads run in one go and share the head
 * of the chain and the counters. Work that only writes does not yield the connection.
 */
export class SqliteUnit implements Unit {
  readonly access: SqliteAccess;
  readonly #held: Write[] = [];
  readonly #outcome = new Outcome();
  #begun = false;
  #beginning: Promise<void> | undefined;
  #seated = false;
  #ended = false;
  #searchable = false;
  #wrote = false;
  #failure: { readonly cause: unknown } | undefined;
  #ran: (() => void) | undefined;

  /** `outside` reads what is committed. */
  constructor(
    private readonly lease: WriterLease,
    private readonly outside: SqliteAccess,
    private readonly kinds: PromptKinds,
    private readonly kind?: string,
    specs: readonly TableSpec[] = [],
  ) {
    this.access = new SqliteAccess(
      (run) => this.run(run),
      (work) => work(this.access),
      specs,
    );
  }

  /** Whether anything was written. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Whether anything searchable was written. */
  get searchable(): boolean {
    return this.#searchable;
  }

  /** Runs statements within the transaction. */
  async run<T>(run: (statements: Statements) => T): Promise<T> {
    const statements = await this.#begin(this.kinds.has(this.kind));
    // A read beside this one may have applied the writes, and one of them may have been rejected.
    this.#assertSound();
    atOnce(this.#apply());
    try {
      return run(statements);
    } catch (error) {
      throw storeError(error);
    }
  }

  /** The lease keeps every other writer out, so what is read here is what is committed, and this unit's own writes. */
  committed(_own: string, tenantId: string): Reader {
    return new SqlReader(tenantId, this.access);
  }

  afterCommit(tenantId: string): Reader {
    return this.#outcome.reader(new SqlReader(tenantId, this.outside));
  }

  async write(make: () => Write): Promise<void> {
    this.#assertSound();
    try {
      const write = make();
      if (isOfRecords(write) && write.table.spec.searchable) this.#searchable = true;
      this.#held.push(write);
      this.#wrote = true;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async commit(): Promise<void> {
    this.#assertSound();
    if (this.#begun || this.#held.length > 0) {
      await this.#begin(true);
      await this.#applyInTurns();
      const kept = this.lease.keep();
      this.#leave();
      await kept;
    }
    this.#outcome.commit();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#outcome.end();
    // A read may still wait for the lease, though the work did not wait for it.
    await this.#beginning?.catch(() => undefined);
    if (!this.#seated) return;
    const dropped = this.lease.drop(this.#failure?.cause);
    this.#leave();
    await dropped;
  }

  #leave(): void {
    this.#seated = false;
    this.#ran?.();
  }

  /** Takes the lease once, even for concurrent reads. */
  async #begin(mayJoin: boolean): Promise<Statements> {
    this.#assertSound();
    if (!this.#begun) {
      this.#beginning ??= this.#sit(mayJoin);
      await this.#beginning;
    }
    return this.lease.statements;
  }

  async #sit(mayJoin: boolean): Promise<void> {
    await this.lease.enter(mayJoin);
    this.#begun = true;
    this.#seated = true;
    this.#ran = this.kinds.watch(this.kind);
  }

  *#apply(): Generator<void, void> {
    if (this.#held.length === 0) return;
    try {
      yield* applyWrites(this.lease.statements, this.#held.splice(0));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Lets other work go on between many writes, and before their commit, which takes as long as some hundred of them. */
  async #applyInTurns(): Promise<void> {
    const steps = this.#apply();
    const yielder = new EventLoopYielder();
    while (!steps.next().done) if (yielder.isDue) await yielder.pass();
    await yielder.end();
  }

  #fail(error: unknown): unknown {
    const failure = storeError(error);
    this.#failure = { cause: failure };
    return failure;
  }

  #assertSound(): void {
    if (this.#ended) throw new StoreError("aborted", "the transaction has ended");
    if (this.#failure) {
      throw new StoreError("aborted", "a write was rejected, so nothing is stored", { cause: this.#failure.cause });
    }
  }
}
