import { getOrCreate } from "@reeve/store-sql";
import { LRUCache } from "lru-cache";
import { statementName } from "./statement-name.js";

/** One statement with its parameters. */
export interface BatchStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Texts by shape. A program has a few hundred shapes and uses each many times. */
const texts = new LRUCache<string, Pick<BatchStatement, "text" | "name">>({ max: 2_000 });

/** Rows as something to select from. `list`: the values of a single one. */
export interface RowSource {
  from(): string;
  readonly list?: () => string;
}

/** Builds one statement of many parts. The text is only assembled for a new shape. */
export class Statement {
  readonly #parts: (() => string)[] = [];
  readonly #checks: (() => string)[] = [];
  readonly #values: unknown[] = [];
  #shape = "";

  value(value: unknown, type: string): string {
    this.#values.push(value);
    return `$${this.#values.length}::${type}`;
  }

  /**
   * Rows to select from: one row as plain parameters, which is fastest, several as arrays, so that the text does not
   * depend on their number. The types are those of the columns.
   */
  rows(rows: readonly (readonly unknown[])[], types: () => readonly string[]): RowSource {
    const [first] = rows;
    if (!first) throw new TypeError("no rows to select from");
    const start = this.#values.length;
    const one = rows.length === 1;
    // Code of two shapes of a table differs in the number of its columns.
    this.#shape += `${one ? "1" : "n"}${first.length}`;
    for (let at = 0; at < first.length; at++) this.#values.push(one ? first[at] : rows.map((row) => row[at]));
    const place = (type: string, at: number) => `$${start + at + 1}::${type}`;
    const list = () => types().map(place).join(", ");
    if (one) return { from: () => `(values (${list()}))`, list };
    const lists = () => types().map((type, at) => place(`${type}[]`, at));
    return { from: () => `unnest(${lists().join(", ")})` };
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Adds a part, if any. Its text must depend only on its rows and on `shape`, which must be unique. */
  with(shape: string, part?: () => string): void {
    this.#shape += ` ${shape}`;
    if (part) this.#parts.push(part);
  }

  /** Adds a check of the number of written rows. */
  expect(table: string, written: string, rows: number): void {
    const wanted = this.value(rows, "bigint");
    this.#checks.push(() => `"reeve".expect('${table}', ${written}, ${wanted})`);
  }

  /** Notifies the channel after the commit. */
  notify(channel: string, payload: string): void {
    const reported = this.value(payload, "text");
    this.#shape += ` notify ${channel}`;
    this.#checks.push(() => `pg_notify('${channel}', ${reported})`);
  }

  finish(): BatchStatement {
    const { text, name } = getOrCreate(texts, this.#shape, () => this.#make());
    return { text, name, values: this.#values };
  }

  #make(): Pick<BatchStatement, "text" | "name"> {
    const [parts, checks] = [this.#parts, this.#checks].map((all) => all.map((make) => make())) as [string[], string[]];
    const text = `with ${parts.join(",\n")}\nselect ${checks.join(", ") || "1"}`;
    return { text, name: statementName(text) };
  }
}
