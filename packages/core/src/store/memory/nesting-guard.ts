import { AsyncLocalStorage } from "node:async_hooks";

interface Mark {
  readonly of: NestingGuard;
  /** The transaction of another store within which this one began. */
  readonly outer: Mark | undefined;
  active: boolean;
}

/** Shared by all memory stores, because before Node 24 each instance slows every promise. */
const inside = new AsyncLocalStorage<Mark>();

/**
 * Finds writes that bypass the transaction around them. Such a write would wait for the transaction, which waits for
 * the write. Reads are allowed; they see what is committed. Only the memory store checks this, for unit tests. The SQL
 * stores end such a wait as `busy`.
 */
export class NestingGuard {
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mark: Mark = { of: this, outer: running(inside.getStore()), active: true };
    try {
      return await inside.run(mark, work);
    } finally {
      // Work left running after the transaction may use the store again.
      mark.active = false;
    }
  }

  /** Throws a TypeError inside a transaction's work. */
  check(): void {
    for (let mark = running(inside.getStore()); mark; mark = running(mark.outer)) {
      if (mark.of === this) {
        throw new TypeError("inside a transaction, write through the transaction, not through the store");
      }
    }
  }
}

/** The innermost transaction whose work still runs. */
function running(mark: Mark | undefined): Mark | undefined {
  return mark === undefined || mark.active ? mark : running(mark.outer);
}
