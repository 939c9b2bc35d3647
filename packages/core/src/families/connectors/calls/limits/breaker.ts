import { ConnectorError } from "#connectors/error.js";

/** Failures in a row after which nothing is called for a while, and for how long, in milliseconds. */
export const BREAKER = { failures: 5, pause: 30_000 } as const;

/** Keeps calls back from a target that fails, and lets one through after a pause to see whether it works again. */
export class Breaker {
  #failures = 0;
  #openUntil: number | undefined;
  #probing = false;

  /** Rejects while calls are kept back. */
  enter(now: number): void {
    if (this.#openUntil === undefined) return;
    if (now < this.#openUntil || this.#probing) {
      const retryAfterMs = Math.max(1_000, this.#openUntil - now);
      throw new ConnectorError("transient", "The target has failed too often and is left alone for a while.", {
        code: "circuit_open",
        retryAfterMs,
      });
    }
    this.#probing = true;
  }

  /** Notes how a call ended that was let through. `undefined`: it says nothing about the target. */
  leave(works: boolean | undefined, now: number): void {
    this.#probing = false;
    if (works === undefined) return;
    this.#failures = works ? 0 : this.#failures + 1;
    this.#openUntil = this.#failures >= BREAKER.failures ? now + BREAKER.pause : undefined;
  }
}
