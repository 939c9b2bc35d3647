import { setTimeout as sleep } from "node:timers/promises";
import { isLockRefused, wantsRetry } from "../statement/errors.js";

const RETRIES = 3;
const RETRY_MS = 20;

/** Runs work again for which the database asks that. After a first try with `early` the work runs without it. */
export async function retried<T>(
  work: (early: string | undefined) => Promise<T>,
  first: string | undefined,
): Promise<T> {
  let early = first;
  for (let left = RETRIES; ; left--) {
    try {
      return await work(early);
    } catch (error) {
      if (left === 0 || !wantsRetry(error)) throw error;
      if (early !== undefined) {
        early = undefined;
        continue;
      }
      await sleep(RETRY_MS * (0.5 + Math.random()) * (RETRIES - left + 1));
    }
  }
}

interface Patience {
  /** Whether locks may be held for long by what is no other work. */
  isOn(): boolean;
  /** How long one try waits for a lock, in ms. */
  readonly waitMs: number;
  /** How long all tries may take together, in ms. */
  readonly wholeMs: number;
}

/** Runs work again that was refused a lock, so that nothing of it is stored, while another wait has time. */
export async function patiently<T>(work: () => Promise<T>, { isOn, waitMs, wholeMs }: Patience): Promise<T> {
  const last = performance.now() + wholeMs - waitMs;
  for (let left = RETRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isOn() || !isLockRefused(error) || performance.now() > last) throw error;
    }
  }
}
