import { type Store, StoreError, sha256 } from "@reeve/core/store";
import { createTable } from "../schema/ddl.js";
import type { TableDialect } from "../schema/dialect.js";
import { type CollectionShape, specOf, type TableSpec } from "../schema/table-spec.js";
import { columnStatements, indexStatements, type Reshape } from "./reshape-spec.js";

/** A step of the schema. It is frozen once released, because databases record its checksum and refuse another. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The tables of collections that it creates. */
  readonly tables: readonly TableSpec[];
  /** Tables of earlier migrations that get a new shape. */
  readonly reshapes?: readonly Reshape[];
  /** `expand`: code without this migration may go on and start. `contract`, or none: it is refused. */
  readonly phase?: "expand" | "contract";
  /** Statements that differ per database: the tables without a collection. */
  readonly kernel?: (dialect: TableDialect) => readonly string[];
}

/** A store whose schema an administrator can create by SQL, and whose database can be restored from a backup. */
export interface SqlStore extends Store {
  migrationSql(): Promise<string>;
  markRestored(restored: boolean): Promise<void>;
}

/** An applied migration, as a database records it. */
export interface Applied {
  readonly number: number;
  readonly checksum: string;
  readonly phase: string | null;
}

/** A migration that creates the tables of these collections, for hosts and tests with collections of their own. */
export function collectionMigration(number: number, name: string, collections: readonly CollectionShape[]): Migration {
  return { number, name, tables: collections.map((collection) => specOf(collection)) };
}

/** The statements of a migration that are one transaction, in order. */
export function statementsOf({ kernel, tables, reshapes = [] }: Migration, dialect: TableDialect): readonly string[] {
  return [
    ...(kernel?.(dialect) ?? []),
    ...tables.flatMap((spec) => createTable(spec, dialect)),
    ...reshapes.flatMap((reshape) => columnStatements(reshape, dialect)),
  ];
}

/** The statements that create indexes of tables with rows. A database may run them without stopping its writers. */
export function indexStatementsOf({ reshapes = [] }: Migration, dialect: TableDialect): readonly string[] {
  return reshapes.flatMap((reshape) => indexStatements(reshape, dialect));
}

/** Collections and upcasts are code, so they are no part of it. */
export function checksumOf(migration: Migration, dialect: TableDialect): string {
  return sha256([...statementsOf(migration, dialect), ...indexStatementsOf(migration, dialect)].join(";\n"));
}

/** The migrations by ascending number. Throws when two share a number. */
export function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  const sorted = [...migrations].sort((a, b) => a.number - b.number);
  const twice = sorted.find((migration, at) => migration.number === sorted[at + 1]?.number);
  if (twice) throw new TypeError(`two migrations have the number ${twice.number}`);
  return sorted;
}

/**
 * The migrations that have not run yet. Throws `schema` when the database has one that the code does not know and that
 * does not admit older code, or one with another checksum.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly Applied[],
  dialect: TableDialect,
): readonly Migration[] {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const { number, checksum, phase } of applied) {
    const migration = byNumber.get(number);
    if (!migration && phase === "expand") continue;
    if (!migration) throw new StoreError("schema", `the database is newer than this code: it has migration ${number}`);
    if (checksumOf(migration, dialect) !== checksum) {
      throw new StoreError("schema", `migration ${number} (${migration.name}) is not what was run on this database`);
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return known.filter(({ number }) => !done.has(number));
}
