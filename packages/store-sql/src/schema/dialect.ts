import type { FieldType, FieldValue } from "@reeve/core/store";
import type { Knex } from "knex";
import type { TableSpec } from "./table-spec.js";

/** Values of a query by slot name. */
export type Values = Readonly<Record<string, unknown>>;
/** Rows as arrays, in the order of the selected columns. */
export type Rows = readonly (readonly unknown[])[];

/** SQL with `?` for each slot, in order. It can become part of a larger statement. */
export interface Part {
  readonly sql: string;
  readonly slots: readonly string[];
}

/** A finished statement: SQL for the driver, and the slot of each parameter. */
export interface Query {
  readonly sql: string;
  readonly slots: readonly string[];
  /** Stable name of the text, for prepared statements; empty if it is not kept prepared. */
  readonly name: string;
  /** Set when the statement only reads one row by `id`: the name of its table. */
  readonly point?: string;
  /** The SQL alone of a statement that reads all tenants' rows, for a transaction that may see them already. */
  readonly across?: string;
}

/** A unique key of a table: its index, and the columns with their types. */
export interface KeySpec {
  readonly table: string;
  readonly index: string;
  readonly columns: readonly (readonly [column: string, type: FieldType])[];
}

/** A text column that is read value by value, and the index that has its rows newest first. */
export interface PerKeySpec {
  readonly table: string;
  readonly index: string;
  readonly column: string;
}

/** The differences between the two databases in queries and tables. */
export interface Dialect {
  readonly knex: Knex;
  /** The operand compared with the tenant column: a slot, or an expression of the enclosing statement. */
  readonly tenant: string | Knex.Raw;
  /** The quoted name of a table in statements. */
  table(name: string): string;
  /** The `from` of a table that is read through this index. */
  from(table: string, index: string): Knex.Raw;
  /** `by` and `id` in this direction. */
  order(by: string, direction: "asc" | "desc"): string;
  /** Binds a value of a declared field. */
  encode(value: string | number | boolean | null): unknown;
  /** Whether an index has rows with `null` at the end in ascending order, as orders require. */
  readonly nullsLast: boolean;
  /**
   * Whether the planner merges seeks of several values in order. Otherwise each seek gets its own limit before they are
   * sorted.
   */
  readonly mergesSeeks: boolean;
  /** A column to fetch rows by after an index has found them, where fetching late is faster. */
  readonly rowNumber: string | undefined;
  /**
   * Tests whether a row that is found by its id is there. The test lets the planner use no index but that of ids, even if
   * its statistics are of an empty table. `of` names the table if there are several.
   */
  isThere(of?: string): string;
  /** Tests whether `column` is one of the values in the slot. `of` names the table if there are several. */
  oneOf(column: string, slot: string, of?: string): Part;
  /** Tests whether `column`, the last of a key, is among the few values that a part reads. Those are read once and first. */
  among(column: string, values: Part): Part;
  /** Tests whether `column` contains the one text in the slot, or one of its texts. */
  holdsOne(column: string, slot: string, texts: "one" | "several", of: string): Part;
  /** Binds a list for `oneOf`, `holdsOne` and `holds`. */
  encodeList(values: readonly FieldValue[]): unknown;
  /** Tests whether the search text contains the word in slot `word`, or all words in slot `words`. */
  holds(slot: "word" | "words", of?: string): Part;
  /** The rows with one of many values of a unique key. `place` is the index of the value in the list, from 0. */
  rowsByKeys(key: KeySpec, selected: readonly string[]): Part;
  /** Binds the values of the key's columns for `rowsByKeys`. */
  encodeKeys(values: readonly (readonly FieldValue[])[]): Values;
  /**
   * The newest rows for each value of a text column, with the value as `held`. Slot `values` takes the values, bound by
   * `encodeList`, slot `size` how many of each.
   */
  newestPerKey(of: PerKeySpec, selected: readonly string[]): Part;
  /** Makes a part that changes one row, within a transaction that has the tenant's lock, a statement. */
  change(part: Part): Query;
  /** A statement to run after a row's search text was filled, with slots `tenant` and `id`. */
  readonly searchFilled?: (table: string) => Part;
  /** Makes a part that reads one tenant's rows a statement. `once`: too many shapes to keep it prepared. */
  tenantRead(part: Part, kept?: "kept" | "once"): Query;
  /** Makes a part that reads all tenants' rows a statement. */
  platformRead(part: Part): Query;
}

/** How a database creates the tables of collections. */
export interface TableDialect {
  /** The quoted name of a table in statements. */
  table(name: string): string;
  /** The quoted name of an index in the statement that creates it. */
  index(name: string): string;
  readonly types: Readonly<Record<FieldType, string>>;
  readonly text: string;
  /** Column definitions before the tenant id. */
  readonly lead: readonly string[];
  readonly primaryKey: string;
  /** Statements that create the tables without a collection: event log, chain heads, counters. */
  readonly kernel: readonly string[];
  /** Statements that follow a collection's table and its indexes. */
  after(spec: TableSpec): readonly string[];
}

/** A knex builder as a part. Its bindings are the names of the slots. */
export function part(builder: { toSQL(): unknown }): Part {
  const { sql, bindings } = builder.toSQL() as { sql: string; bindings: readonly string[] };
  return { sql, slots: bindings };
}

/** A table of the database for knex, with an alias if given. */
export function tableIn({ knex, table }: Pick<Dialect, "knex" | "table">, name: string, as?: string): Knex.Raw {
  return knex.raw(as === undefined ? table(name) : `${table(name)} as ${as}`);
}

/** Joins parts and plain SQL into one part. */
export function join(...pieces: readonly (Part | string)[]): Part {
  const parts = pieces.map((piece) => (typeof piece === "string" ? { sql: piece, slots: [] } : piece));
  return { sql: parts.map((each) => each.sql).join(""), slots: parts.flatMap((each) => each.slots) };
}
