import { setTimeout as sleep } from "node:timers/promises";
import type { NeutralResponse } from "@reeve/core";

/**
 * The time between the signal to stop and the end of the listener. Clients are told on each answer to use its connection
 * no more, so that none of them sends a request into a connection that ends.
 */
export class Drain {
  #begun = false;

  /** Whether the server goes on answering, and is not ready for more. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Resolves after `seconds`, or once `signal` aborts. */
  async begin(seconds: number, signal?: AbortSignal): Promise<void> {
    this.#begun = true;
    if (seconds > 0) await sleep(seconds * 1_000, undefined, { ...(signal ? { signal } : {}) }).catch(() => undefined);
  }

  /** An answer, with which its connection ends once this has begun. */
  closing(answer: NeutralResponse): NeutralResponse {
    return this.#begun ? { ...answer, headers: { ...answer.headers, connection: "close" } } : answer;
  }
}
