import type { Query, Rows, Values } from "@reeve/store-sql";
import type { Answer } from "../connect/pipelined-batch.js";

/** A pending read of the work. */
export interface Asked {
  readonly query: Query;
  readonly values: Values;
  /** The tenant whose lock the read needs. */
  readonly lock: string;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/** Reads that have not been sent. Concurrent reads share one round trip. */
export class ReadQueue {
  readonly #asked: Asked[] = [];

  /** `read` answers reads under one lock. `inTurn` runs a step after those before it. */
  constructor(
    private readonly read: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
    private readonly inTurn: (step: () => Promise<void>) => Promise<void>,
  ) {}

  ask(query: Query, values: Values, lock: string): Promise<Rows> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ query, values, lock, resolve, reject });
      this.inTurn(() => this.#readAsked()).catch(reject);
    });
  }

  async #readAsked(): Promise<void> {
    const tenant = this.#asked[0]?.lock;
    const others = this.#asked.findIndex(({ lock }) => lock !== tenant);
    const asked = this.#asked.splice(0, others < 0 ? this.#asked.length : others);
    if (asked.length === 0) return;
    try {
      const answers = await this.read(asked);
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]?.rows ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
