import type { Clock } from "../../../../ports/clock.js";
import { STATE_LIFETIME } from "../../../platform/index.js";

/**
 * A value read from the store that is never older than five seconds and is read anew after `drop`. Readers that come together
 * share one reading; one that began before a drop is not kept, so what a commit changed is seen by the very next reader.
 */
export class ExpiringValue<T> {
  #held: { readonly value: T; readonly readAt: number } | undefined;
  #reading: Promise<T> | undefined;
  #drops = 0;

  constructor(
    readonly clock: Clock,
    readonly load: () => Promise<T>,
  ) {}

  /** The value at once when it is fresh, so that a hot path need not wait for a promise. */
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
