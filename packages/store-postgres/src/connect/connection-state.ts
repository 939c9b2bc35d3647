import type pg from "pg";
import { Prepared } from "./pipelined-batch.js";

const known = new WeakMap<pg.PoolClient, ConnectionState>();

/** The driver's client, with what its types leave out. */
type Driver = pg.Client & { readonly readyForQuery: boolean };

/** The state of a connection for its whole life, across borrowers. */
export class ConnectionState {
  readonly prepared = new Prepared();
  #status = "I";

  readonly #client: Driver;

  constructor(client: pg.PoolClient) {
    this.#client = client as unknown as Driver;
    // Older versions of the driver do not expose it.
    this.#client.connection.on("readyForQuery", ({ status }: { readonly status: string }) => {
      this.#status = status;
    });
  }

  /** Resolves when the server has ended what failed, or the connection is over. It tells of a failure before that. */
  settled(): Promise<void> {
    const { connection, readyForQuery } = this.#client;
    if (readyForQuery || connection.stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        for (const event of ["readyForQuery", "end"]) connection.off(event, done);
        resolve();
      };
      for (const event of ["readyForQuery", "end"]) connection.on(event, done);
    });
  }

  /** Whether the server last reported an open or failed transaction. */
  get inTransaction(): boolean {
    return this.#status !== "I";
  }
}

export function connectionState(client: pg.PoolClient): ConnectionState {
  let state = known.get(client);
  if (!state) {
    state = new ConnectionState(client);
    known.set(client, state);
  }
  return state;
}
