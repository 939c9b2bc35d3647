import { type Store, StoreError, sha256 } from "@reeve/core/store";
import { createTable } from "./ddl.js";
import type { TableDialect } from "./dialect.js";
import { type CollectionShape, specOf, type TableSpec } from "./table-spec.js";

/** A step of the schema. Once released it is frozen: databases remember what it ran and refuse another. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The tables of collections that it makes. */
  readonly tables: readonly TableSpec[];
  /** Statements that each database spells itself: the tables no collection stands for. */
  readonly kernel?: (dialect: TableDialect) => readonly string[];
}

/** A store whose tables can be made by SQL that somebody else runs. */
export interface SqlStore extends Store {
  migrationSql(): Promise<string>;
}

/** A migration as a database remembers it. */
export interface Applied {
  readonly number: number;
  readonly checksum: string;
}

/** A migration that makes the tables of these collections: for hosts and tests with collections of their own. */
export function collectionMigration(number: number, name: string, collections: readonly CollectionShape[]): Migration {
  return { number, name, tables: collections.map((collection) => specOf(collection)) };
}

/** Every statement of a migration, in order. */
export function statementsOf(migration: Migration, dialect: TableDialect): readonly string[] {
  return [...(migration.kernel?.(dialect) ?? []), ...migration.tables.flatMap((spec) => createTable(spec, dialect))];
}

export function checksumOf(migration: Migration, dialect: TableDialect): string {
  return sha256(statementsOf(migration, dialect).join(";\n"));
}

/** The migrations in order of number. Throws when two share one. */
export function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  const sorted = [...migrations].sort((a, b) => a.number - b.number);
  const twice = sorted.find((migration, at) => migration.number === sorted[at + 1]?.number);
  if (twice) throw new TypeError(`two migrations have the number ${twice.number}`);
  return sorted;
}

/**
 * The migrations still to be run. Throws `schema` when the database knows one that the code does not, or one that was
 * something else when it ran.
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
