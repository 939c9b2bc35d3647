import type { Query, Rows, Values } from "@reeve/store-sql";
import type { Session } from "../connect/session.js";

interface Asked {
  readonly query: Query;
  readonly values: Values;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * The reads of one reader outside of transactions. Those that are asked for at the same time share a connection and a round
 * trip, so that no request takes the whole pool. As within a transaction, all fail when one does.
 */
export class ReadsTogether {
  #asked: Asked[] = [];

  /** `run` runs a step on a connection of its own. */
  constructor(private readonly run: <T>(step: (session: Session) => Promise<T>) => Promise<T>) {}

  read(query: Query, values: Values): Promise<Rows> {
    return new Promise((resolve, reject) => {
      // Work that goes on at the same time asks before this is run, however many promises deep it is.
      if (this.#asked.length === 0) process.nextTick(() => this.#send());
      this.#asked.push({ query, values, resolve, reject });
    });
  }

  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const answers = await this.run((session) =>
        session.read(asked.map(({ query, values }) => session.query(query, values))),
      );
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]?.rows ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
