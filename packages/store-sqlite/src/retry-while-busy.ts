import { setTimeout as sleep } from "node:timers/promises";
import { isBusy, storeError } from "./errors.js";

const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 50;

/**
 * Runs a step again while another process holds the lock, for up to `timeoutMs`, without blocking the event loop. Then
 * rejects with `busy`. Other failures reject at once as `StoreError`.
 */
export function retryWhileBusy<T>(timeoutMs: number, step: () => T): T | Promise<T> {
  try {
    return step();
  } catch (error) {
    if (!isBusy(error)) throw storeError(error);
    return again(timeoutMs, step, error);
  }
}

async function again<T>(timeoutMs: number, step: () => T, first: unknown): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let failure = first;
  for (let wait = FIRST_WAIT_MS; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait);
    try {
      return step();
    } catch (error) {
      if (!isBusy(error)) throw storeError(error);
      failure = error;
    }
  }
  throw storeError(failure);
}
