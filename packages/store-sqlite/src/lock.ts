import { StoreError } from "@reeve/core/store";

/** Lets one holder through at a time, in the order they asked. */
export class Lock {
  readonly #waiting = new Set<() => void>();
  #held = false;

  get held(): boolean {
    return this.#held;
  }

  /**
   * Takes the lock, at once when it is free. Whoever takes it must release it. Rejects with `busy` after `timeoutMs`: work
   * that writes past its own transaction waits for itself, and must not wait for ever.
   */
  async acquire(timeoutMs: number): Promise<void> {
    if (!this.#held) {
      this.#held = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const pass = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(pass);
        reject(new StoreError("busy", "another transaction did not end in time"));
      }, timeoutMs);
      this.#waiting.add(pass);
    });
  }

  release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#held = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
