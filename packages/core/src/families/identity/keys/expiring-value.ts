import { STATE_LIFETIME } from "#families/platform/index.js";
import type { Clock } from "#ports/clock.js";

/**
 * A cached value, at most five seconds old, which `drop` invalidates. Concurrent readers share one read. A read that
 * began before `drop` is not cached, so the next reader sees what a commit changed.
 */
export class ExpiringValue<T> {
  #held: { readonly value: T; readonly readAt: number } | undefined;
  #reading: Promise<T> | undefined;
  #drops = 0;

  constructor(
    readonly clock: Clock,
    readonly load: () => Promise<T>,
  ) {}

  /** Returns a fresh value without a promise, so that a hot path does not wait. */
  get(): T | Promise<T> {
    const held = this.#held;
    if (held && this.clock.now() - held.readAt < STATE_LIFETIME) return held.value;
    this.#reading ??= this.#read(this.#drops);
    return this.#reading;
  }

  drop(): void {
    this.#drops += 1;
    this.#held = undefined;
    this.#reading = undefined;
  }

  async #read(drops: number): Promise<T> {
    const readAt = this.clock.now();
    try {
      const value = await this.load();
      if (drops === this.#drops) this.#held = { value, readAt };
      return value;
    } finally {
      if (drops === this.#drops) this.#reading = undefined;
    }
  }
}
