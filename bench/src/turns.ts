import { PerformanceObserver, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { mainThreadMs } from "./thread-time.js";

/** How long the event loop may be held, in ms. */
const LIMIT = 25;

interface Turn {
  readonly from: number;
  readonly to: number;
  /** Processor time of the main thread in ms. */
  readonly used: number;
}

/**
 * The processor time of each turn of the event loop: how long it was held, without what other processes and threads took
 * and without garbage collection.
 */
export class Turns {
  readonly #turns: Turn[] = [];
  readonly #pauses: { readonly from: number; readonly ms: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) this.#pauses.push({ from: startTime, ms: duration });
  });
  #running = true;

  constructor() {
    this.#observer.observe({ entryTypes: ["gc"] });
    let [before, from] = [mainThreadMs(), performance.now()];
    const turn = () => {
      const used = mainThreadMs() - before;
      const to = performance.now();
      // Shorter turns than any that matters would fill the memory.
      if (to - from >= 1) this.#turns.push({ from, to, used });
      [before, from] = [mainThreadMs(), performance.now()];
      if (this.#running) setImmediate(turn);
    };
    setImmediate(turn);
  }

  async stop(): Promise<{ readonly p99: number; readonly longest: number; readonly over: number }> {
    this.#running = false;
    // Pauses are told of a turn later.
    await sleep(10);
    this.#observer.disconnect();
    const held = this.#turns.map(({ from, to, used }) => {
      const collected = this.#pauses.filter((pause) => pause.from >= from && pause.from < to);
      return Math.min(to - from, used) - collected.reduce((sum, { ms }) => sum + ms, 0);
    });
    held.sort((one, other) => one - other);
    const over = held.filter((ms) => ms > LIMIT).length;
    return { over, p99: held[Math.ceil(held.length * 0.99) - 1] ?? 0, longest: held.at(-1) ?? 0 };
  }
}
