import type { FieldType, Index } from "@reeve/core/store";
import { identifier, snake } from "./names.js";

/**
 * Columns of a table whose records have a shape above 1: the shape of the row, and the version of the record that has
 * it. Code that knows no shapes raises the version alone, so its writes are found.
 */
export const MARKS = ["shape", "shape_of"] as const;

/** Columns of every collection's table. Declared fields cannot have these names. */
const OWN_COLUMNS = [
  "n",
  "tenant_id",
  "id",
  "version",
  "created_at",
  "removed_at",
  "stale_at",
  "search_text",
  "body",
  ...MARKS,
];

/** Tables without a collection. Collections cannot have these names. */
const OWN_TABLES = [
  "migrations",
  "backfills",
  "events",
  "event_streams",
  "chain_heads",
  "counters",
  "dues",
  "quotas",
  "search_tenants",
  "search_pending",
];

/** An index of a table by its columns. The tenant comes before them, and the id as tie-break after. */
export interface IndexSpec {
  readonly where: readonly string[];
  readonly by: string;
  /** Leaves out rows without a value of `by`. */
  readonly partial?: true;
}

/** The table of a collection, as plain data that a migration can freeze. */
export interface TableSpec {
  readonly name: string;
  readonly scope: "tenant" | "platform";
  readonly columns: Readonly<Record<string, FieldType>>;
  readonly indexes: readonly IndexSpec[];
  /** The columns of each unique key, by its name. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** Unique keys of a table of platform scope that hold within a tenant. */
  readonly uniqueInTenant?: readonly string[];
  readonly searchable: boolean;
  /** Whether it keeps removed rows. */
  readonly retain?: true;
  /** The shape of its records; 1 when absent. */
  readonly shape?: number;
}

/** A collection as far as its table is concerned, whatever the type of its records. */
export interface CollectionShape {
  readonly name: string;
  readonly scope: "tenant" | "platform";
  readonly fields: Readonly<Record<string, { readonly type: FieldType }>>;
  readonly indexes: readonly Index[];
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly uniqueInTenant: readonly string[];
  readonly search?: unknown;
  readonly retain?: boolean;
  readonly shapeVersion?: number;
}

/** An index in the database. All are partial and exclude removed rows. */
export interface DatabaseIndex {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column without whose value a row is left out too. */
  readonly needs?: string;
  readonly unique: boolean;
}

/** The table of a collection. Throws when its name or a column's name is reserved. */
export function specOf(collection: CollectionShape): TableSpec {
  if (OWN_TABLES.includes(collection.name)) {
    throw new TypeError(`collection ${collection.name}: the stores have a table of this name themselves`);
  }
  const columns: Record<string, FieldType> = {};
  for (const [name, field] of Object.entries(collection.fields)) {
    const column = snake(name);
    if (OWN_COLUMNS.includes(column) || column in columns) {
      throw new TypeError(`collection ${collection.name}: the column of field "${name}" is taken`);
    }
    columns[column] = field.type;
  }
  const { shapeVersion: shape = 1 } = collection;
  if (shape > 1) for (const mark of MARKS) columns[mark] = "integer";
  const indexes = new Map<string, IndexSpec>();
  for (const each of collection.indexes) {
    const index = indexSpec(each);
    indexes.set(indexName(collection.name, index), index);
  }
  const unique = Object.entries(collection.unique).map(([key, fields]) => [key, fields.map(snake)] as const);
  return {
    name: collection.name,
    scope: collection.scope,
    columns,
    indexes: [...indexes.values()],
    unique: Object.fromEntries(unique),
    ...(collection.uniqueInTenant.length > 0 ? { uniqueInTenant: collection.uniqueInTenant } : {}),
    searchable: collection.search !== undefined,
    ...(collection.retain ? { retain: true } : {}),
    ...(shape > 1 ? { shape } : {}),
  };
}

/** A declared index by its columns. */
export function indexSpec({ where, by = "createdAt", partial }: Index): IndexSpec {
  return { where: where.map(snake), by: snake(by), ...(partial ? { partial } : {}) };
}

/** The rows that an index has, as a condition. */
export function indexedRows({ needs }: Pick<DatabaseIndex, "needs">): string {
  return needs === undefined ? "removed_at IS NULL" : `removed_at IS NULL AND ${needs} IS NOT NULL`;
}

/** The name of a declared index. */
export function indexName(table: string, index: IndexSpec): string {
  return identifier("ix", table, ...index.where, "by", index.by);
}

/** The name of a unique key's index. `id` is the key of ids across tenants. */
export function uniqueName(table: string, key: string): string {
  return identifier("uq", table, key);
}

/** The name of the index that finds the rows of all tenants by a key that holds within each. */
export function platformKeyName(table: string, key: string): string {
  return identifier("ix", table, key, "platform");
}

/** The name of the index that finds the rows of shapes before this one. */
export function outdatedIndexName(table: string, shape: number): string {
  return identifier("sx", table, String(shape));
}

/** The rows of shapes before this one, as a condition. The marks of code that knows no shapes are of another version. */
export function outdated(shape: number): string {
  return `(shape_of IS DISTINCT FROM version OR shape < ${shape})`;
}

/** The name of the index that finds removed rows. */
export function removedIndexName(table: string): string {
  return identifier("rx", table);
}

/** The name of the index that lists a table of platform scope, newest first. */
export function platformIndexName(table: string): string {
  return identifier("ix", table, "platform");
}

/** Every index of a table except its primary key. */
export function databaseIndexes(spec: TableSpec): DatabaseIndex[] {
  const platform = spec.scope === "platform";
  const inTenant = spec.uniqueInTenant ?? [];
  const declared = spec.indexes.map((index) => ({
    name: indexName(spec.name, index),
    columns: ["tenant_id", ...index.where, index.by, "id"],
    unique: false,
    ...(index.partial ? { needs: index.by } : {}),
  }));
  const keys = Object.entries(spec.unique).map(([key, columns]) => ({
    name: uniqueName(spec.name, key),
    columns: platform && !inTenant.includes(key) ? [...columns] : ["tenant_id", ...columns],
    unique: true,
  }));
  if (!platform) return [...declared, ...keys];
  return [
    ...declared,
    ...keys,
    { name: uniqueName(spec.name, "id"), columns: ["id"], unique: true },
    { name: platformIndexName(spec.name), columns: ["created_at", "id"], unique: false },
    ...inTenant.map((key) => ({
      name: platformKeyName(spec.name, key),
      columns: [...(spec.unique[key] ?? []), "created_at", "id"],
      unique: false,
    })),
  ];
}
