/** The notices that one run makes or ends, at the least before it stops. Those of one batch of records come on top. */
const MOST = 1_000;

/** How much a run may still do. A run that stops leaves the rest to one behind it, so that no tick waits for all of it. */
export class Room {
  #settled = 0;

  constructor(private readonly isOpen: () => boolean) {}

  /** How many notices were made or ended. */
  get settled(): number {
    return this.#settled;
  }

  /** Whether the run has done its part. */
  get isFull(): boolean {
    return this.#settled >= MOST;
  }

  get mayGoOn(): boolean {
    return this.isOpen() && !this.isFull;
  }

  take(settled: number): void {
    this.#settled += settled;
  }
}
