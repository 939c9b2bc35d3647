import { Outcome, type Reader, StoreError } from "@reeve/core/store";
import { type Query, type Rows, SqlReader, type Values } from "@reeve/store-sql";
import { PostgresAccess } from "./access.js";
import type { Answer, Step } from "./pipelined-batch.js";
import type { Session } from "./session.js";

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

  /** Sends the committing statements and the reads requested so far. */
  send(session: Session, steps: readonly Step[]): Promise<readonly Answer[]> {
    if (!this.some) return session.send(steps);
    const asked = this.#leave();
    const [done, behind] = session.sendBoth(steps, queriesOf(session, asked));
    this.#answered = answer(asked, behind);
    return done;
  }

  /** Sends the reads requested so far, for a transaction without anything to commit. */
  async alone(session: Session): Promise<void> {
    const asked = this.#leave();
    await answer(asked, session.send(queriesOf(session, asked)));
  }

  commit(): void {
    this.#outcome.commit();
  }

  /** Rejects the reads if there was no commit. Resolves once the connection has answered the others. */
  async end(): Promise<void> {
    this.#outcome.end();
    for (const { reject } of this.#leave()) reject(new StoreError("aborted", "the transaction did not commit"));
    await this.#answered;
  }

  async #ask(query: Query, values: Values): Promise<Rows> {
    if (this.#left) {
      await this.#outcome.committed();
      return this.outside.read(query, values);
    }
    const rows = await new Promise<Rows>((resolve, reject) => this.#asked.push({ query, values, resolve, reject }));
    await this.#outcome.committed();
    return rows;
  }

  #leave(): readonly Asked[] {
    this.#left = true;
    return this.#asked.splice(0);
  }
}

function queriesOf(session: Session, asked: readonly Asked[]): Step[] {
  return asked.map(({ query, values }) => session.query(query, values));
}

async function answer(asked: readonly Asked[], answers: Promise<readonly Answer[]>): Promise<void> {
  try {
    for (const [at, { rows }] of (await answers).entries()) asked[at]?.resolve(rows);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
