import type { StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";
import { SIZE_LIMIT } from "#store/query.js";
import type { Row } from "#store/row.js";
import type { StoreError } from "#store/store-error.js";
import { chunksOf } from "../../async/in-chunks.js";
import type { AnyCollection } from "./held-writes.js";
import { TakenKeys, taken } from "./taken-keys.js";

/** A unique key that a part used without asking the store whether it is free. */
interface UnaskedKey {
  readonly part: number;
  readonly collection: AnyCollection;
  readonly key: string;
  readonly values: Where;
}

type LookupMany = (
  collection: AnyCollection,
  key: string,
  values: readonly Where[],
) => Promise<readonly (Row<StoredRecord> | undefined)[]>;

/** The unique keys that parts used without asking the store, which is asked for all of them together. */
export class UnaskedKeys {
  readonly #keys: UnaskedKey[] = [];

  get length(): number {
    return this.#keys.length;
  }

  add(key: UnaskedKey): void {
    this.#keys.push(key);
  }

  /** Forgets all but the first ones. */
  cut(length: number): void {
    this.#keys.length = length;
  }

  /** Asks for all keys. Rejects with `TakenKeys` when the store holds some. */
  async ask(lookupMany: LookupMany): Promise<void> {
    const errors = new Map<number, StoreError>();
    for (const group of this.#groups().values()) {
      for (const some of chunksOf(group, SIZE_LIMIT)) {
        const { collection, key } = some[0] as UnaskedKey;
        const rows = await lookupMany(
          collection,
          key,
          some.map(({ values }) => values),
        );
        for (const [place, { part }] of some.entries()) if (rows[place]) errors.set(part, taken(collection, key));
      }
    }
    if (errors.size > 0) throw new TakenKeys(errors);
  }

  #groups(): Map<string, UnaskedKey[]> {
    const groups = new Map<string, UnaskedKey[]>();
    for (const one of this.#keys.splice(0)) {
      const name = `${one.collection.name}/${one.key}`;
      const group = groups.get(name);
      if (group) group.push(one);
      else groups.set(name, [one]);
    }
    return groups;
  }
}
