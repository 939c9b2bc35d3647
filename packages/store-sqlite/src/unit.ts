import { StoreError } from "@reeve/core";
import type { Unit, Write } from "@reeve/store-sql";
import { SqliteAccess } from "./access.js";
import { storeError } from "./errors.js";
import type { Statements } from "./statements.js";
import { applyWrites } from "./writes.js";

/** The one writing connection, as a transaction needs it. */
export interface WriterSeat {
  readonly statements: Statements;
  /** Waits for the seat and begins an immediate transaction on it. */
  begin(): Promise<void>;
  /** Gives the seat back; rolls back what is still open. */
  leave(): void;
}

/**
 * One transaction. Writes are held back until something is read, so that one which only writes takes the connection for a
 * single stretch without giving way.
 */
export class SqliteUnit implements Unit {
  readonly access: SqliteAccess;
  readonly #held: Write[] = [];
  #begun = false;
  #ended = false;
  #searchable = false;
  #failure: { readonly cause: unknown } | undefined;

  constructor(private readonly seat: WriterSeat) {
    this.access = new SqliteAccess(async (run) => {
      const statements = await this.#begin();
      try {
        return run(statements);
      } catch (error) {
        throw storeError(error);
      }
    });
  }

  /** Whether anything was written that search must come to know. */
  get searchable(): boolean {
    return this.#searchable;
  }

  async write(make: () => Write): Promise<void> {
    this.#assertSound();
    try {
      const write = make();
      if (write.kind !== "append" && write.table.spec.searchable) this.#searchable = true;
      if (this.#begun) applyWrites(this.seat.statements, [write]);
      else this.#held.push(write);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async commit(): Promise<void> {
    this.#assertSound();
    if (!this.#begun && this.#held.length === 0) return;
    await this.#begin();
    try {
      this.seat.statements.of("commit").run();
    } catch (error) {
      throw storeError(error);
    }
  }

  end(): void {
    this.#ended = true;
    if (this.#begun) this.seat.leave();
  }

  async #begin(): Promise<Statements> {
    this.#assertSound();
    if (!this.#begun) {
      await this.seat.begin();
      this.#begun = true;
      try {
        applyWrites(this.seat.statements, this.#held.splice(0));
      } catch (error) {
        throw this.#fail(error);
      }
    }
    return this.seat.statements;
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
