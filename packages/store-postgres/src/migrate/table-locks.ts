import { setTimeout as sleep } from "node:timers/promises";
import { stateOf } from "../statement/errors.js";

/**
 * How long a change of a table waits for its lock at a time, in ms. All reads and writes that come after it wait behind
 * it for as long.
 */
export const TABLE_LOCK_MS = 1_000;
/** The pause until the next try, in ms, in which those that waited go on. */
const PAUSE_MS = 500;

/** Runs work that changes tables again while somebody holds one, for `waitMs` in all. It is told what is left of that. */
export async function patiently<T>(waitMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
  const until = performance.now() + waitMs;
  for (let leftMs = waitMs; ; leftMs = Math.ceil(until - performance.now())) {
    try {
      return await work(Math.max(leftMs, 1));
    } catch (error) {
      if (stateOf(error) !== "55P03" || performance.now() + PAUSE_MS >= until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
