import { inChunks } from "#kernel/async/in-chunks.js";
import { asOf } from "#kernel/records/as-of.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";
import type { Row } from "#store/row.js";
import type { Reader } from "#store/store.js";
import type { Source } from "../../snapshots/take/surroundings.js";
import type { Past } from "./past.js";

type AnyRow = Row<StoredRecord>;

/** A cache of a reader's answers for snapshots, so that many moments cost one read. */
export class KeptAnswers {
  readonly #byId = new Map<string, AnyRow | undefined>();
  readonly #byKey = new Map<string, AnyRow | undefined>();
  readonly #each = new Map<string, readonly AnyRow[]>();

  constructor(readonly db: Reader) {}

  async getMany<R extends StoredRecord>(collection: Collection<R>, ids: readonly string[]): Promise<Row<R>[]> {
    const missing = ids.filter((id) => !this.#byId.has(id));
    for (const id of missing) this.#byId.set(id, undefined);
    const rows = await inChunks(missing, (some) => this.db.getMany(collection, some));
    for (const row of rows) this.#byId.set(row.id, row as unknown as AnyRow);
    return ids.flatMap((id) => (this.#byId.get(id) as Row<R> | undefined) ?? []);
  }

  async lookupMany<R extends StoredRecord>(collection: Collection<R>, key: string, values: readonly Where[]) {
    const nameOf = (value: Where) => JSON.stringify([collection.name, key, value]);
    const missing = values.filter((value) => !this.#byKey.has(nameOf(value)));
    const rows = missing.length > 0 ? await this.db.lookupMany(collection, key, missing) : [];
    for (const [index, value] of missing.entries()) this.#byKey.set(nameOf(value), rows[index] as unknown as AnyRow);
    return values.map((value) => this.#byKey.get(nameOf(value)) as Row<R> | undefined);
  }

  async findTopPerKey<R extends StoredRecord>(collection: Collection<R>, { field, values, size }: Each) {
    const nameOf = (value: string) => `${collection.name} ${field} ${value}`;
    const missing = values.filter((value) => !this.#each.has(nameOf(value)));
    const found =
      missing.length > 0 ? await this.db.findTopPerKey(collection, { field, values: missing, size }) : new Map();
    for (const [value, rows] of found) this.#each.set(nameOf(value), rows);
    return new Map(values.map((value) => [value, (this.#each.get(nameOf(value)) ?? []) as Row<R>[]]));
  }
}

type Each = Parameters<Reader["findTopPerKey"]>[1];

/**
 * The tenant's records as of a moment: the stored ones with later changes reverted. Calls `onGuess` when it returns or
 * omits a record whose earlier state is unknown.
 */
export function pastSource(answers: KeptAnswers, past: Past, now: string, onGuess: () => void = () => {}): Source {
  const { tenantId } = answers.db;
  const seen = <R extends StoredRecord>(collection: Collection<R>, row: Row<R>) => {
    if (past.isUnknown(row.id)) onGuess();
    return past.of(collection, row);
  };
  const removedWith = <R extends StoredRecord>(collection: Collection<R>, where: Where) =>
    past.removedWith(collection, tenantId, where);
  return {
    now,
    db: {
      async getMany(collection, ids) {
        const rows = await answers.getMany(collection, ids);
        const wanted = new Set(ids);
        if (rows.length < wanted.size && ids.some((id) => past.isUnknown(id))) onGuess();
        return [...rows.flatMap((row) => seen(collection, row) ?? []), ...past.removed(collection, tenantId, wanted)];
      },
      async lookupMany(collection, key, values) {
        const rows = await answers.lookupMany(collection, key, values);
        if (rows.includes(undefined) && past.hasLost(collection)) onGuess();
        return values.map((value, index) => {
          const row = rows[index];
          return row ? seen(collection, row) : removedWith(collection, value)[0];
        });
      },
      async findTopPerKey(collection, query) {
        const found = await answers.findTopPerKey(collection, query);
        if (past.hasLost(collection)) onGuess();
        return new Map(
          [...found].map(([value, rows]) => [
            value,
            [
              ...rows.flatMap((row) => seen(collection, row) ?? []),
              ...removedWith(collection, { [query.field]: value }),
            ],
          ]),
        );
      },
    },
    derived: (collection, row) => asOf(collection, row, now),
  };
}
