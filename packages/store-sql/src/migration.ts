import { type Store, StoreError, sha256 } from "@reeve/core/store";
import { createTable } from "./ddl.js";
import type { TableDialect } from "./dialect.js";
import { type CollectionShape, specOf, type TableSpec } from "./table-spec.js";

/** A step of the schema. It is frozen once released, because databases record its checksum and refuse another. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The tables of collections that it creates. */
  readonly tables: readonly TableSpec[];
  /** Statements that differ per database: the tables without a collection. */
  readonly kernel?: (dialect: TableDialect) => readonly string[];
}

/** A store whose schema an administrator can create by SQL. */
export interface SqlStore extends Store {
  migrationSql(): Promise<string>;
}

/** An applied migration, as a database records it. */
export interface Applied {
  readonly number: number;
  readonly checksum: string;
}

/** A migration that creates the tables of these collections, for hosts and tests with collections of their own. */
export function collectionMigration(number: number, name: string, collections: readonly CollectionShape[]): Migration {
  return { number, name, tables: collections.map((collection) => specOf(collection)) };
}

/** All statements of a migration, in order. */
export function statementsOf(migration: Migration, dialect: TableDialect): readonly string[] {
  return [...(migration.kernel?.(dialect) ?? []), ...migration.tables.flatMap((spec) => createTable(spec, dialect))];
}

export function checksumOf(migration: Migration, dialect: TableDialect): string {
  return sha256(statementsOf(migration, dialect).join(";\n"));
}

/** The migrations by ascending number. Throws when two share a number. */
export function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  const sorted = [...migrations].sort((a, b) => a.number - b.number);
  const twice = sorted.find((migration, at) => migration.number === sorted[at + 1]?.number);
  if (twice) throw new TypeError(`two migrations have the number ${twice.number}`);
  return sorted;
}

/**
 * The migrations that have not run yet. Throws `schema` when the database has one that the code does not know, or one
 * with another checksum.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly Applied[],
  dialect: TableDialect,
): readonly Migration[] {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const { number, checksum } of applied) {
    const migration = byNumber.get(number);
    if (!migration) throw new StoreError("schema", `the database is newer than this code: it has migration ${number}`);
    if (checksumOf(migration, dialect) !== checksum) {
      throw new StoreError("schema", `migration ${number} (${migration.name}) is not what was run on this database`);
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return known.filter(({ number }) => !done.has(number));
}
