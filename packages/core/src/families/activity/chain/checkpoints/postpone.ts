import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { StoreError } from "#store/store-error.js";

const LONGEST_WAIT = hoursMs(12);

/** How many attempts have failed with this one, and when the next one is: later each time, twelve hours at the most. */
export function postponedFrom(attempts: number, now: string): { readonly attempts: number; readonly next: string } {
  const wait = Math.min(1_000 * 4 ** (attempts + 1), LONGEST_WAIT);
  return { attempts: attempts + 1, next: timestamp(Date.parse(now) + wait) };
}

/** Another process did the same at the same time, which is allowed. */
export function ignoreStale(error: unknown): void {
  if (!(StoreError.is(error) && error.code === "stale")) throw error;
}
