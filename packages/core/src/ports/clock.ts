/** The source of time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests. It stands still until it is set or advanced. */
export function manualClock(start: string): Clock & { set(time: string): void; advance(milliseconds: number): void } {
  let current = Date.parse(start);
  return {
    now: () => current,
    set: (time) => {
      current = Date.parse(time);
    },
    advance: (milliseconds) => {
      current += milliseconds;
    },
  };
}

let [written, text] = [Number.NaN, ""];

/** RFC 3339 UTC with milliseconds, the only form in which times are stored and served. */
export function timestamp(milliseconds: number): string {
  // Cached, because a request asks for its time repeatedly.
  if (milliseconds !== written) [written, text] = [milliseconds, new Date(milliseconds).toISOString()];
  return text;
}

/** The UTC day of a time, as `2026-11-21`. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}
