import { StoreError } from "@reeve/core/store";

/** A lock with one holder at a time, in order of request. */
export class Lock {
  readonly #waiting = new Set<() => void>();
  #held = false;

  get held(): boolean {
    return this.#held;
  }

  /**
   * Takes the lock, at once when it is free. The caller must release it. Rejects with `busy` after `timeoutMs`, because
   * work that writes past its own transaction would wait for itself for ever.
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
