import { isTurnHeld } from "./hold-turn.js";

/** How long a job may block the event loop, in ms. */
const HELD = 8;

/** Lets other work that is ready in this process run first, unless somebody holds the turn. */
export function yieldToEventLoop(): Promise<void> {
  return isTurnHeld() ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve));
}

/** Yields to the event loop between the steps of a long computation. */
export class EventLoopYielder {
  #since = performance.now();
  #turn: Promise<void> = Promise.resolve();
  #hasPassed = false;

  constructor(private readonly held = HELD) {}

  /** Whether it is time to yield. */
  get isDue(): boolean {
    return !isTurnHeld() && performance.now() - this.#since >= this.held;
  }

  /** Several that pass at once go on one by one, each after a turn of other work. */
  async pass(): Promise<void> {
    this.#turn = this.#turn.then(yieldToEventLoop);
    await this.#turn;
    this.#since = performance.now();
    this.#hasPassed = true;
  }

  /** Lets other work run before what follows on a computation that was long. */
  async end(): Promise<void> {
    if (this.#hasPassed) await this.pass();
  }
}

/** Computes something in steps, and lets other work go on between them. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const yielder = new EventLoopYielder();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (yielder.isDue) await yielder.pass();
  }
}

/** Computes the same at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
