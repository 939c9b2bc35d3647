import { AsyncLocalStorage } from "node:async_hooks";

interface Mark {
  readonly of: NestingGuard;
  /** The mark of the transaction, of another store, within whose work this one began. */
  readonly outer: Mark | undefined;
  active: boolean;
}

/** One for all memory stores of the process: before Node 24 every promise pays for each that there is. */
const inside = new AsyncLocalStorage<Mark>();

/**
 * Knows whether the code that runs is inside a transaction's work. Such code must write through the transaction: a write
 * through the store would wait for what the transaction itself holds. Reads past the transaction are allowed: they see what
 * is committed. Only the memory store asks, so that unit tests find the mistake. The SQL stores end such a wait as `busy`.
 */
export class NestingGuard {
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mark: Mark = { of: this, outer: running(inside.getStore()), active: true };
    try {
      return await inside.run(mark, work);
    } finally {
      // What the work has left running may go to the store again.
      mark.active = false;
    }
  }

  /** Throws a TypeError when called from within a transaction's work. */
  check(): void {
    for (let mark = running(inside.getStore()); mark; mark = running(mark.outer)) {
      if (mark.of === this) {
        throw new TypeError("inside a transaction, write through the transaction, not through the store");
      }
    }
  }
}

/** The innermost mark of a transaction whose work still runs. */
function running(mark: Mark | undefined): Mark | undefined {
  return mark === undefined || mark.active ? mark : running(mark.outer);
}
