import { Outcome, type Reader, StoreError } from "@reeve/core/store";
import { type Query, type Rows, SqlReader, type Values } from "@reeve/store-sql";
import type { Answer, Step } from "../connect/pipelined-batch.js";
import type { Session } from "../connect/session.js";
import { parameters } from "../statement/parameters.js";
import { PostgresAccess } from "./access.js";

/** Reads outside of transactions. */
export interface Outside {
  read(query: Query, values: Values): Promise<Rows>;
  hasSearchIndex(): Promise<boolean>;
}

interface Asked {
  readonly query: Query;
  readonly values: Values;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * Reads that a transaction requests for the time after its commit. They are sent with the commit but in a transaction
 * of their own, so they cost no round trip and cannot undo it. Later requests are ordinary reads.
 */
export class PostCommitReads {
  readonly #outcome = new Outcome();
  readonly #asked: Asked[] = [];
  /** The reads that are under way behind what commits. */
  #under: Asked[] = [];
  #left = false;
  #answered: Promise<void> | undefined;

  constructor(private readonly outside: Outside) {}

  reader(tenantId: string): Reader {
    const access = new PostgresAccess(
      (query, values) => this.#ask(query, values),
      () => this.outside.hasSearchIndex(),
    );
    return new SqlReader(tenantId, access);
  }

  get some(): boolean {
    return this.#asked.length > 0;
  }

  /** Whether reads were sent behind the commit. */
  get wereSent(): boolean {
    return this.#answered !== undefined;
  }

  /** The reads requested so far, to send behind what commits. Call `answer` or `stay` with what became of it. */
  leave(session: Session): readonly Step[] {
    this.#left = true;
    this.#under = this.#asked.splice(0);
    return this.#under.map(({ query, values }) => session.query(query, values));
  }

  /** Takes the answers to the reads that left. */
  answer(answers: Promise<readonly Answer[]>): void {
    this.#answered = answerAll(this.#under.splice(0), answers);
  }

  /** The reads that left wait for another attempt, because nothing was committed. */
  stay(): void {
    this.#left = false;
    this.#asked.unshift(...this.#under.splice(0));
  }

  /** Runs the reads requested so far, for a transaction without anything to commit. */
  async alone(session: Session): Promise<void> {
    const steps = this.leave(session);
    this.answer(session.send(steps));
    await this.#answered;
  }

  commit(): void {
    this.#outcome.commit();
  }

  /** Rejects the reads if there was no commit. Resolves once the connection has answered the others. */
  async end(): Promise<void> {
    this.#outcome.end();
    this.#left = true;
    for (const { reject } of this.#asked.splice(0)) reject(new StoreError("aborted", "the transaction did not commit"));
    await this.#answered;
  }

  async #ask(query: Query, values: Values): Promise<Rows> {
    if (this.#left) {
      await this.#outcome.committed();
      return this.outside.read(query, values);
    }
    // One that cannot be sent fails here, because it leaves together with those of other transactions.
    parameters(query.slots.map((slot) => values[slot]));
    const rows = await new Promise<Rows>((resolve, reject) => this.#asked.push({ query, values, resolve, reject }));
    await this.#outcome.committed();
    return rows;
  }
}

async function answerAll(asked: readonly Asked[], answers: Promise<readonly Answer[]>): Promise<void> {
  try {
    for (const [at, { rows }] of (await answers).entries()) asked[at]?.resolve(rows);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
