import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import type { ReadItem } from "../read/item.js";
import { type NaturalKey, textOf } from "../read/mentions.js";
import type { Imported } from "../schema.js";

/**
 * The items that earlier transactions of a dry run would have stored. A reference to one of them is left out, and
 * counts as a change.
 */
export class ForeseenItems {
  /** Digests of the items by natural key. */
  readonly #stored = new Map<string, string>();
  readonly #digests = new WeakMap<ReadItem, string>();

  /** Takes note of what an item was read from. */
  read(item: ReadItem, given: unknown): void {
    this.#digests.set(item, sha256(canonical(given)));
  }

  has(key: NaturalKey): boolean {
    return this.#stored.has(textOf(key));
  }

  /** Takes note of the items of one more transaction. */
  add(items: readonly ReadItem[]): void {
    for (const item of items) this.#stored.set(textOf(item.key), this.#digests.get(item) ?? "");
  }

  /** What the import would have answered, without ids of what was undone. */
  outcomeOf(item: ReadItem, { outcome, id, recordId }: Imported, leftOut: boolean): Imported {
    const before = this.#stored.get(textOf(item.key));
    const ids = outcome === "created" ? { id: null, recordId: null } : { id, recordId };
    if (before !== undefined && before === this.#digests.get(item)) return { ...ids, outcome: "unchanged" };
    const isChange = before !== undefined || (leftOut && outcome === "unchanged");
    return { ...ids, outcome: isChange ? "updated" : outcome };
  }
}
