import type pg from "pg";
import { Prepared } from "./pipelined-batch.js";

const known = new WeakMap<pg.PoolClient, ConnectionState>();

/** What is remembered of a connection as long as it lives, whoever used it in between. */
export class ConnectionState {
  readonly prepared = new Prepared();
  #status = "I";

  constructor(client: pg.PoolClient) {
    // Older versions of the driver do not keep it.
    const { connection } = client as unknown as pg.Client;
    connection.on("readyForQuery", ({ status }: { readonly status: string }) => {
      this.#status = status;
    });
  }

  /** Whether a transaction is open, or has failed and was not ended, as the server said last. */
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
