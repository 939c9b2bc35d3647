import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { collections } from "@reeve/core/reference";
import { specOf, type TableSpec } from "../../packages/store-sql/src/index.js";
import { root } from "./workspace.mjs";

/** Where the tables of migration 1 are kept, from the root of the workspace. */
export const TABLES = "packages/store-sql/src/migrate/0001-foundation.json";
/** Where the databases of releases are kept, which tests upgrade. */
const OF_RELEASES = "packages/store-sqlite/test/fixtures";

/** Whether there has been a release. Databases have run migration 1 since, so its tables never change again. */
export function isReleased(files: readonly string[] = readdirSync(`${root}/${OF_RELEASES}`)): boolean {
  return files.some((file) => file.endsWith(".sqlite.gz") && !file.startsWith("unreleased."));
}

/** The tables of migration 1, as they are kept. */
export function frozenTables(): readonly TableSpec[] {
  return JSON.parse(readFileSync(`${root}/${TABLES}`, "utf8")) as TableSpec[];
}

/**
 * The tables of the declared collections. A table that says what a frozen one says keeps its place and its words, so
 * that moved declarations change no checksum; new ones come last.
 */
export function declaredTables(frozen: readonly TableSpec[] = frozenTables()): readonly TableSpec[] {
  const declared = new Map(collections.map((collection) => [collection.name, specOf(collection)]));
  const kept = frozen.flatMap((table) => {
    const now = declared.get(table.name);
    declared.delete(table.name);
    if (!now) return [];
    return [isDeepStrictEqual(now, table) ? table : now];
  });
  return [...kept, ...declared.values()];
}

/** Writes the tables of the declared collections as those of migration 1. */
export function freezeTables(): readonly TableSpec[] {
  const tables = declaredTables();
  writeFileSync(`${root}/${TABLES}`, `[\n${tables.map(written).join(",\n")}\n]\n`);
  return tables;
}

/** A table with a line for each trait and each index, so that a change is seen by its line. */
function written(table: TableSpec): string {
  const lines = Object.entries(table).map(([trait, value]) => {
    const text = trait === "indexes" && value.length > 0 ? listed(value) : JSON.stringify(value);
    return `    ${JSON.stringify(trait)}: ${text}`;
  });
  return `  {\n${lines.join(",\n")}\n  }`;
}

const listed = (values: readonly unknown[]) =>
  `[\n${values.map((value) => `      ${JSON.stringify(value)}`).join(",\n")}\n    ]`;
