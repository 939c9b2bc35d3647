import { StoreError } from "@reeve/core/store";

/** Lets so many hold a place at a time, and others in the order in which they asked. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(
    places: number,
    private readonly timeoutMs: number,
  ) {
    this.#free = places;
  }

  /** Takes a place. Resolves to what gives it back, and rejects with `busy` after a time. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#giveBack();
    };
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new StoreError("busy", "no connection for a transaction became free in time"));
      }, this.timeoutMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.add(begin);
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
