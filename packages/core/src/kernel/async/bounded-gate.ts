import { ReeveError } from "../http/errors.js";

/** Runs work when there is room for it. */
export type BoundedGate = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `concurrency` at once and queues `queue` more in order of arrival. The rest get 503 `overloaded`. */
export function boundedGate(concurrency: number, queue: number): BoundedGate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw new ReeveError("overloaded", undefined, { headers: { "retry-after": "2" } });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
