import type pg from "pg";

/**
 * Waits for an answer. A connection that gives none in time is destroyed, which fails all that waits for it. `renewable`
 * is given what begins the time anew, for answers in parts.
 */
export async function withDeadline<T>(
  client: pg.ClientBase,
  ms: number,
  answer: Promise<T>,
  renewable?: (renew: () => void) => void,
): Promise<T> {
  const timer = setTimeout(() => {
    const { stream } = (client as pg.Client).connection;
    stream.destroy(new Error("Connection terminated: the server gave no answer in time"));
  }, ms);
  renewable?.(() => timer.refresh());
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
