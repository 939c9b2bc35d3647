import type { Query, Rows, Values } from "@reeve/store-sql";
import type { Session } from "./session.js";

interface Asked {
  readonly query: Query;
  readonly values: Values;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * Reads outside of transactions. Those of one tenant that are asked for at the same time share a connection and a round
 * trip, so that no request takes the whole pool. Each fails by itself.
 */
export class ReadsTogether {
  readonly #asked = new Map<string, Asked[]>();

  /** `run` runs a step on a connection of its own. */
  constructor(private readonly run: <T>(step: (session: Session) => Promise<T>) => Promise<T>) {}

  /** What names no tenant shares nothing. */
  read(query: Query, values: Values): Promise<Rows> {
    const { tenant } = values;
    if (typeof tenant !== "string") return this.run((session) => session.rows(query, values));
    return new Promise((resolve, reject) => {
      const one = { query, values, resolve, reject };
      const asked = this.#asked.get(tenant);
      if (asked) asked.push(one);
      else {
        this.#asked.set(tenant, [one]);
        // Work that goes on at the same time asks before this is run, however many promises deep it is.
        process.nextTick(() => this.#send(tenant));
      }
    });
  }

  async #send(tenant: string): Promise<void> {
    const asked = this.#asked.get(tenant) ?? [];
    this.#asked.delete(tenant);
    try {
      await this.run(async (session) => {
        const sent = session.sendTogether(asked.map(({ query, values }) => [session.query(query, values)]));
        for (const [at, told] of (await Promise.allSettled(sent)).entries()) {
          const one = asked[at] as Asked;
          if (told.status === "fulfilled") one.resolve(told.value[0]?.rows ?? []);
          else one.reject(told.reason);
        }
      });
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
