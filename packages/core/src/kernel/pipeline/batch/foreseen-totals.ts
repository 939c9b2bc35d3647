import type { AnyCollection } from "./held-writes.js";

/**
 * By how many records each collection would have grown in the earlier transactions of a dry run, so that limits are
 * met where the run itself would meet them.
 */
export class ForeseenTotals {
  readonly #grown = new Map<string, number>();

  of({ name }: AnyCollection): number {
    return this.#grown.get(name) ?? 0;
  }

  /** Notes by how much collections grew in one more transaction. */
  add(grown: ReadonlyMap<string, number>): void {
    for (const [name, by] of grown) this.#grown.set(name, (this.#grown.get(name) ?? 0) + by);
  }
}
