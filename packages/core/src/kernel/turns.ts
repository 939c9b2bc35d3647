/** How long a job may keep others in this process waiting, in ms. */
const HELD = 25;

/** Resolves when whatever is ready in this process has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Gives others in this process their turn between the steps of a job that computes for long. */
export class Turns {
  #since = performance.now();

  /** Whether others have waited long enough. */
  get isDue(): boolean {
    return performance.now() - this.#since >= HELD;
  }

  async pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
