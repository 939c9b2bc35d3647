import { readFileSync } from "node:fs";

/** Processor time of the main thread, in ms. Where the system does not tell it, time as it passes. */
function processorTime(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** What the loop below takes at most, in ms, where a turn may take 100. A virtual machine may become several times slower. */
const USUAL_LOOP = 50;

/** Processor time of a loop that always does the same, in ms. */
function loopTime(): number {
  const start = processorTime();
  let sum = 0;
  for (let at = 0; at < 20_000_000; at++) sum = (sum * 31 + at) % 1_000_003;
  return sum < 0 ? 0 : processorTime() - start;
}

/** What one turn of the event loop may take of the processor, in ms, on a machine as fast as this one is now. */
export const MOST_TURN = 100 * Math.max(1, Math.min(loopTime(), loopTime(), loopTime()) / USUAL_LOOP);

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
