/** How long a job may block the event loop, in ms. */
const HELD = 25;

/** Lets other work that is ready in this process run first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Yields to the event loop between the steps of a long computation. */
export class EventLoopYielder {
  #since = performance.now();

  /** Whether it is time to yield. */
  get isDue(): boolean {
    return performance.now() - this.#since >= HELD;
  }

  async pass(): Promise<void> {
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}
