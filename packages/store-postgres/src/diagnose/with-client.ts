import type pg from "pg";
import type { Dialer } from "../connect/connection.js";

/** Runs work on a connection of its own, then ends it. */
export async function withClient<T>(
  dialer: Dialer,
  work: (client: pg.Client) => Promise<T>,
  config?: pg.ClientConfig,
): Promise<T> {
  const client = await dialer.connected(config);
  try {
    return await work(client);
  } finally {
    // What was asked is answered, so a failure to end cleanly does not matter.
    await client.end().catch(() => undefined);
  }
}

/** The only row of a statement. */
export async function rowOf<R extends object>(client: pg.Client, text: string, values: unknown[] = []): Promise<R> {
  const { rows } = await client.query<R>(text, values);
  return (rows[0] ?? {}) as R;
}
