import { yieldToEventLoop } from "#store/event-loop.js";

/** How long requests begin in one turn of the event loop, in ms. */
const TURN_MS = 8;

const waiting: { readonly request: object; readonly begin: () => void }[] = [];
let isServing = false;
/** Requests begin until then. Only a new turn moves it, so it may have been set in an earlier turn, but never in a later one. */
let end = 0;
/** The request that began last. It may still have work that could go on at once. */
let last: object | undefined;

/**
 * Waits for a place in a turn of the event loop, if one must. All that arrive together would otherwise be worked off in one turn,
 * and nothing else of the process would run meanwhile. In the order of arrival. Call `leaveTurn` once the request is answered.
 */
export function placeInTurn(request: object): Promise<void> | undefined {
  // One that comes when the last is done may begin at once: what that took has been counted.
  if (!last && !isServing && performance.now() < end) {
    last = request;
    return undefined;
  }
  return new Promise((begin) => {
    waiting.push({ request, begin });
    if (!isServing) void serve();
  });
}

/** Tells that nothing of a request is left to do. */
export function leaveTurn(request: object): void {
  if (last === request) last = undefined;
}

async function serve(): Promise<void> {
  isServing = true;
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (performance.now() < end) await worked();
    if (performance.now() >= end) {
      await yieldToEventLoop();
      end = performance.now() + TURN_MS;
    }
    waiting.shift();
    last = next.request;
    next.begin();
  }
  isServing = false;
}

/** Resolves once all that could go on at once did: microtasks run before what `nextTick` is given among them. */
function worked(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
