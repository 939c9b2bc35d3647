/** How long a job may keep others in this process waiting, in ms. */
const HELD = 25;

/** Gives others in this process their turn between the steps of a job that computes for long. */
export class Turns {
  #since = performance.now();

  /** Whether others have waited long enough. */
  get isDue(): boolean {
    return performance.now() - this.#since >= HELD;
  }

  async pass(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
