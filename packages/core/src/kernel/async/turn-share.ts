import { yieldToEventLoop } from "./event-loop.js";

/** How long requests begin in one turn of the event loop, in ms. */
const TURN_MS = 8;

const waiting: (() => void)[] = [];
let isServing = false;

/**
 * Waits for a place in a turn of the event loop. All that arrive together would otherwise be worked off in one turn, and
 * nothing else of the process would run meanwhile. In the order of arrival.
 */
export function placeInTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isServing) void serve();
  });
}

async function serve(): Promise<void> {
  isServing = true;
  while (waiting.length > 0) {
    await yieldToEventLoop();
    const end = performance.now() + TURN_MS;
    do {
      waiting.shift()?.();
      await worked();
    } while (waiting.length > 0 && performance.now() < end);
  }
  isServing = false;
}

/** Resolves once all that could go on at once did: microtasks run before what `nextTick` is given among them. */
function worked(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
