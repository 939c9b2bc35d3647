import type { FieldType, FieldValue } from "@reeve/core/store";
import type { Knex } from "knex";
import type { TableSpec } from "./table-spec.js";

/** Values of a query by slot name. */
export type Values = Readonly<Record<string, unknown>>;
/** Rows as arrays, in the order of the selected columns. */
export type Rows = readonly (readonly unknown[])[];

/** SQL with `?` for each slot, in order: a piece that can still be put into a larger one. */
export interface Part {
  readonly sql: string;
  readonly slots: readonly string[];
}

/** A finished statement: text for the driver, and the slot of each parameter. */
export interface Query {
  readonly sql: string;
  readonly slots: readonly string[];
  /** Stable name of the text, for prepared statements; empty for one that is not kept. */
  readonly name: string;
  /** The table of which it reads one row by `id`, when that is all it does. */
  readonly point?: string;
}

/** A unique key of a table: its index, and the columns with their types. */
export interface KeySpec {
  readonly table: string;
  readonly index: string;
  readonly columns: readonly (readonly [column: string, type: FieldType])[];
}

/** A text column whose rows are wanted value by value, and the index that has them newest first. */
export interface PerKeySpec {
  readonly table: string;
  readonly index: string;
  readonly column: string;
  readonly size: number;
}

/** What differs between the two databases when queries are compiled and tables made. */
export interface Dialect {
  readonly knex: Knex;
  /** What the tenant column is compared with: a slot, or an expression of the wrapper. */
  readonly tenant: string | Knex.Raw;
  /** The quoted name of a table in statements. */
  table(name: string): string;
  /** The `from` of a table whose rows are sought through this index. */
  from(table: string, index: string): Knex.Raw;
  /** `by` and `id` in this direction. */
  order(by: string, direction: "asc" | "desc"): string;
  /** Binds a value of a declared field. */
  encode(value: string | number | boolean | null): unknown;
  /** Whether an index has rows without a value where an order wants them: behind all others in ascending order. */
  readonly nullsLast: boolean;
  /** Whether the planner merges seeks of several values by their order; else each is cut by itself before they are sorted. */
  readonly mergesSeeks: boolean;
  /** A column by which a row that an index found is fetched, where it is better fetched late. */
  readonly rowNumber: string | undefined;
  /** A test that `column` is one of the slot's values; `of` names the table where there are several. */
  oneOf(column: string, slot: string, of?: string): Part;
  /** A test that `column` holds the one text of the slot, or one of its texts. */
  holdsOne(column: string, slot: string, texts: "one" | "several", of: string): Part;
  /** Binds a list for `oneOf`, `holdsOne` and `holds`. */
  encodeList(values: readonly FieldValue[]): unknown;
  /** A test that the search text holds the one word of slot `word`, or all of slot `words`. */
  holds(slot: "word" | "words", of?: string): Part;
  /** The rows that hold one of many values of a unique key, each with `place`, the number from 0 of the value in the list. */
  rowsByKeys(key: KeySpec, selected: readonly string[]): Part;
  /** Binds the values of the key's columns for `rowsByKeys`. */
  encodeKeys(values: readonly (readonly FieldValue[])[]): Values;
  /** The newest `size` rows of each value of a text column, each with the value as `held`; the values come by `encodeList` in slot `values`. */
  newestPerKey(of: PerKeySpec, selected: readonly string[]): Part;
  /** Turns a part that reads rows of one tenant into a statement; one of many shapes is not kept prepared. */
  tenantRead(part: Part, kept?: "kept" | "once"): Query;
  /** Turns a part that reads rows of all tenants into a statement. */
  platformRead(part: Part): Query;
}

/** How a database spells the tables of collections. */
export interface TableDialect {
  /** The quoted name of a table in statements. */
  table(name: string): string;
  /** The quoted name of an index in the statement that makes it. */
  index(name: string): string;
  readonly types: Readonly<Record<FieldType, string>>;
  readonly text: string;
  /** Column definitions before the tenant id. */
  readonly lead: readonly string[];
  readonly primaryKey: string;
  /** Statements that make the tables no collection stands for: event log, chain heads, counters. */
  readonly kernel: readonly string[];
  /** Statements that follow a collection's table and its indexes. */
  after(spec: TableSpec): readonly string[];
}

/** A knex builder or raw as a part; its bindings are the slots' names. */
export function part(builder: { toSQL(): unknown }): Part {
  const { sql, bindings } = builder.toSQL() as { sql: string; bindings: readonly string[] };
  return { sql, slots: bindings };
}

/** A table of the database as knex takes it, under a name of the statement where one is given. */
export function tableIn({ knex, table }: Pick<Dialect, "knex" | "table">, name: string, as?: string): Knex.Raw {
  return knex.raw(as === undefined ? table(name) : `${table(name)} as ${as}`);
}

/** Joins parts and plain SQL into one part. */
export function join(...pieces: readonly (Part | string)[]): Part {
  const parts = pieces.map((piece) => (typeof piece === "string" ? { sql: piece, slots: [] } : piece));
  return { sql: parts.map((each) => each.sql).join(""), slots: parts.flatMap((each) => each.slots) };
}
