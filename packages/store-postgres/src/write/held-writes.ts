import { isOfRecords, type Write } from "@reeve/store-sql";
import { batches } from "./batch.js";

/** Rows that are worth a round trip of their own. */
const MANY_ROWS = 500;

/** The writes of a transaction that were not sent yet, and whether there ever were any. */
export class HeldWrites {
  #writes: Write[] = [];
  #rows = 0;
  #wereAny = false;

  get wereAny(): boolean {
    return this.#wereAny;
  }

  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  get areMany(): boolean {
    return this.#rows >= MANY_ROWS;
  }

  add(write: Write): void {
    this.#wereAny = true;
    this.#writes.push(write);
    this.#rows += rowsOf(write);
  }

  /** Takes all of them out, as batches of one statement each. */
  take(): Write[][] {
    const writes = this.#writes;
    this.#writes = [];
    this.#rows = 0;
    return batches(writes);
  }
}

function rowsOf(write: Write): number {
  if (write.kind === "append") return write.events.length;
  return isOfRecords(write) && write.kind === "insert" ? write.records.length : 1;
}
