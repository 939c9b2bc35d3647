import { getOrCreate, type Query, type Rows, type Values } from "@reeve/store-sql";
import { LRUCache } from "lru-cache";
import type { SqliteDatabase, SqliteStatement } from "./driver/driver.js";

/** Prepared statements to keep per connection. */
const KEPT = 1_000;

/** The prepared statements of one connection. */
export class Statements {
  readonly #kept = new LRUCache<string, SqliteStatement>({ max: KEPT });
  readonly #readers = new LRUCache<string, SqliteStatement>({ max: KEPT });

  constructor(readonly db: SqliteDatabase) {}

  /** A writing statement. */
  of(sql: string): SqliteStatement {
    return getOrCreate(this.#kept, sql, () => this.db.prepare(sql));
  }

  rows({ sql, slots, point }: Query, values: Values): Rows {
    const [reader, bound] = [this.#reader(sql), slots.map((slot) => values[slot])];
    if (point === undefined) return reader.all(bound) as unknown as Rows;
    const row = reader.get(bound);
    return (row === undefined ? [] : [row]) as unknown as Rows;
  }

  /** All rows of a reading statement, as arrays. */
  read(sql: string, ...values: readonly unknown[]): Rows {
    return this.#reader(sql).all(values) as unknown as Rows;
  }

  #reader(sql: string): SqliteStatement {
    return getOrCreate(this.#readers, sql, () => this.db.prepare(sql).raw(true));
  }
}
