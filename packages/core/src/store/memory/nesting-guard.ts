import { AsyncLocalStorage } from "node:async_hooks";

interface Mark {
  readonly of: NestingGuard;
  /** The transaction of another store within which this one began. */
  readonly outer: Mark | undefined;
  active: boolean;
}

/** Shared by all memory stores. Disabled while none has a transaction, because before Node 24 it slows every promise. */
const inside = new AsyncLocalStorage<Mark>();
let running = 0;

/**
 * Finds writes that bypass the transaction around them. Such a write would wait for the transaction, which waits for
 * the write. Reads are allowed; they see what is committed. Only the memory store checks this, for unit tests. The SQL
 * stores end such a wait as `busy`.
 */
export class NestingGuard {
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mark: Mark = { of: this, outer: innermost(inside.getStore()), active: true };
    running += 1;
    try {
      return await inside.run(mark, work);
    } finally {
      // Work left running after the transaction may use the store again.
      mark.active = false;
      running -= 1;
      if (running === 0) inside.disable();
    }
  }

  /** Throws a TypeError inside a transaction's work. */
  check(): void {
    for (let mark = innermost(inside.getStore()); mark; mark = innermost(mark.outer)) {
      if (mark.of === this) {
        throw new TypeError("inside a transaction, write through the transaction, not through the store");
      }
    }
  }
}

/** The innermost transaction whose work still runs. */
function innermost(mark: Mark | undefined): Mark | undefined {
  return mark === undefined || mark.active ? mark : innermost(mark.outer);
}
