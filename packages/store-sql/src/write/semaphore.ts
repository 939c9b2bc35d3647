import { StoreError } from "@reeve/core/store";

/** Lets so many hold a place at a time, and others in the order in which they asked. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** `late` is what is said to whom no place became free in time. */
  constructor(
    places: number,
    private readonly late: string,
  ) {
    this.#free = places;
  }

  /** Whether who asks now has to wait. */
  get full(): boolean {
    return this.#free === 0;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether somebody waits for a place. */
  get awaited(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Takes a place, at once when one is free. The caller must give it back. Rejects with `busy` after `timeoutMs`, because
   * work that asks for a place while it holds the last would wait for itself for ever.
   */
  async take(timeoutMs: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const pass = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(pass);
        reject(new StoreError("busy", this.late));
      }, timeoutMs);
      this.#waiting.add(pass);
    });
  }

  giveBack(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
