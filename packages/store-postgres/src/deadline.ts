import type pg from "pg";

/** Waits for an answer. A connection that gives none in time is destroyed, which fails all that waits for it. */
export async function withDeadline<T>(client: pg.ClientBase, ms: number, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    const { stream } = (client as pg.Client).connection;
    stream.destroy(new Error("Connection terminated: the server gave no answer in time"));
  }, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
