import type { Environment } from "../config/environment.js";
import type { Context } from "./context.js";
import { type Actor, transact } from "./transact.js";

/** Carries the result of work out of the transaction that it undoes. */
class Undone<T> extends Error {
  constructor(readonly result: T) {
    super("the transaction was to be undone");
  }
}

/**
 * Runs `work` in one transaction as `transact` does, and undoes it. Resolves to what would have come of it. Nothing is
 * stored, and no cache or listener is notified.
 */
export async function rehearse<T>(env: Environment, actor: Actor, work: (ctx: Context) => Promise<T>): Promise<T> {
  try {
    return await transact(env, actor, async (ctx) => {
      throw new Undone(await work(ctx));
    });
  } catch (thrown) {
    if (thrown instanceof Undone) return thrown.result as T;
    throw thrown;
  }
}
