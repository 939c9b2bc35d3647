import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Knows whether the code that runs is inside a transaction's work. Such code must write through the transaction: a write
 * through the store would wait for what the transaction itself holds. Reads past the transaction are allowed: they see what
 * is committed. Only the memory store asks, so that unit tests find the mistake: before Node 24 every promise of the process
 * pays for knowing it. The SQL stores end such a wait as `busy`.
 */
export class NestingGuard {
  readonly #inside = new AsyncLocalStorage<{ active: boolean }>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const mark = { active: true };
    try {
      return await this.#inside.run(mark, work);
    } finally {
      // What the work has left running may go to the store again.
      mark.active = false;
    }
  }

  /** Throws a TypeError when called from within a transaction's work. */
  check(): void {
    if (this.#inside.getStore()?.active) {
      throw new TypeError("inside a transaction, write through the transaction, not through the store");
    }
  }
}
