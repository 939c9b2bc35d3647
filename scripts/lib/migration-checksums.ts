import { tableDialect as postgres } from "../../packages/store-postgres/src/statement/dialect.js";
import { checksumOf, type Migration, migrations } from "../../packages/store-sql/src/index.js";
import { tableDialect as sqlite } from "../../packages/store-sqlite/src/dialect.js";

/** Where the checksums of migrations are kept, from the root of the workspace. */
export const PINS = "packages/store-sql/test/fixtures/migrations.json";

/** A migration as databases have recorded it. */
export interface Pin {
  readonly number: number;
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

/** The pins that the sources make. */
export function pinsOf(of: readonly Migration[] = migrations): readonly Pin[] {
  return of.map((migration) => ({
    number: migration.number,
    name: migration.name,
    sqlite: checksumOf(migration, sqlite),
    postgres: checksumOf(migration, postgres),
  }));
}
