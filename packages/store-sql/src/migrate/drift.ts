import { type CollectionShape, databaseIndexes, specOf, type TableSpec } from "../schema/table-spec.js";
import type { Migration } from "./migration.js";
import { migrations as own } from "./migrations.js";
import { tablesOf } from "./reshape.js";

/**
 * The differences between the declared collections and the tables of the migrations, one sentence each. They mean that
 * a migration was forgotten. Empty when there are none.
 */
export function schemaDrift(
  collections: readonly CollectionShape[],
  migrations: readonly Migration[] = own,
): readonly string[] {
  const made = new Map(tablesOf(migrations).map((spec) => [spec.name, spec]));
  const declared = new Map(collections.map((collection) => [collection.name, specOf(collection)]));
  const missing = [...declared.values()].flatMap((spec) => {
    const table = made.get(spec.name);
    return table ? compare(spec, table) : [`${spec.name}: no migration makes this table`];
  });
  const left = [...made.keys()]
    .filter((name) => !declared.has(name))
    .map((name) => `${name}: no collection declares this table`);
  return [...missing, ...left];
}

function compare(declared: TableSpec, made: TableSpec): string[] {
  return [
    ...differences(declared.name, "column", columnsOf(declared), columnsOf(made)),
    ...differences(declared.name, "index", indexesOf(declared), indexesOf(made)),
    ...differences(declared.name, "trait", traitsOf(declared), traitsOf(made)),
  ];
}

function differences(table: string, kind: string, declared: readonly string[], made: readonly string[]): string[] {
  const lacking = declared
    .filter((each) => !made.includes(each))
    .map((each) => `${table}: no migration makes ${kind} ${each}`);
  const spare = made
    .filter((each) => !declared.includes(each))
    .map((each) => `${table}: ${kind} ${each} is not declared`);
  return [...lacking, ...spare];
}

function columnsOf(spec: TableSpec): string[] {
  return Object.entries(spec.columns).map(([name, type]) => `${name} ${type}`);
}

function indexesOf(spec: TableSpec): string[] {
  return databaseIndexes(spec).map(({ name, columns, needs }) => {
    return `${name} (${columns.join(", ")})${needs === undefined ? "" : ` with ${needs}`}`;
  });
}

function traitsOf(spec: TableSpec): string[] {
  return [
    `scope ${spec.scope}`,
    ...(spec.searchable ? ["searchable"] : []),
    ...(spec.retain ? ["retaining"] : []),
    `shape ${spec.shape ?? 1}`,
  ];
}
