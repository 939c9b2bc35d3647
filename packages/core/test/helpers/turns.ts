import { readFileSync } from "node:fs";

/** What one turn of the event loop may take of the processor, in ms. */
export const MOST_TURN = 100;

/** Processor time of the main thread, in ms. Where the system does not tell it, time as it passes. */
function processorTime(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** What a piece of work did to the event loop of its process. */
export interface Turns {
  /** The longest turn of the event loop while it went on, in ms of processor time. */
  readonly longest: number;
  /** The processor time of all turns, in ms. */
  readonly all: number;
  /** How many times something else was answered meanwhile, from its beginning to its end. */
  readonly answered: number;
}

/**
 * Watches each turn of the event loop while `work` goes on, and asks `other` over and over. Processor time is counted, so
 * other processes of the machine change nothing.
 */
export async function turnsOf(work: () => Promise<unknown>, other: () => Promise<unknown>): Promise<Turns> {
  let [longest, all, answered, isDone] = [0, 0, 0, false];
  let last = processorTime();
  const look = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    all += now - last;
    last = now;
  };
  const watching = (async () => {
    while (!isDone) {
      await nextTurn();
      look();
    }
  })();
  const asking = (async () => {
    while (!isDone) {
      await other();
      await nextTurn();
      if (!isDone) answered += 1;
    }
  })();
  await nextTurn();
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all([watching, asking]);
  look();
  return { longest, all, answered };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
