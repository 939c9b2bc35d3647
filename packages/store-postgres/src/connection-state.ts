import type pg from "pg";
import { Prepared } from "./pipelined-batch.js";

const known = new WeakMap<pg.PoolClient, ConnectionState>();

/** The state of a connection for its whole life, across borrowers. */
export class ConnectionState {
  readonly prepared = new Prepared();
  #status = "I";

  constructor(client: pg.PoolClient) {
    // Older versions of the driver do not expose it.
    const { connection } = client as unknown as pg.Client;
    connection.on("readyForQuery", ({ status }: { readonly status: string }) => {
      this.#status = status;
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
