import type { Index, StoredCollection, StoredRecord } from "@reeve/core/store";
import { snake } from "../schema/names.js";
import { type IndexSpec, indexName, indexSpec, MARKS, specOf, type TableSpec } from "../schema/table-spec.js";
import type { Migration } from "./migration.js";
import type { Reshape } from "./reshape-spec.js";

/** The fields that a shape brings, and the indexes that need them. */
export interface AddedFields {
  /** The version of the shape from this migration on. */
  readonly shape: number;
  readonly fields: readonly string[];
  /** Those of the collection that name one of the fields when absent. */
  readonly indexes?: readonly Index[];
}

/**
 * A migration that gives a collection a new shape: nullable columns and indexes, and a backfill of the rows that there
 * are. Older code may go on writing. Without fields it is a change of the stored JSON alone.
 */
export function addFields<R extends StoredRecord>(
  number: number,
  name: string,
  collection: StoredCollection<R>,
  { shape, fields, indexes }: AddedFields,
): Migration {
  const { shapeVersion = 1 } = collection;
  const problem = (what: string) => new TypeError(`migration ${number}, collection ${collection.name}: ${what}`);
  if (!Number.isSafeInteger(shape) || shape < 2 || shape > shapeVersion)
    throw problem(`shape ${shape} is none of 2 to ${shapeVersion}`);
  const spec = specOf(collection);
  const columns = Object.fromEntries(
    fields.map((field) => {
      const column = snake(field);
      const type = spec.columns[column];
      if (type === undefined || !(field in collection.fields)) throw problem(`"${field}" is not a declared field`);
      return [column, type];
    }),
  );
  const named = ({ where, by = "createdAt" }: Index) => [...where, by].some((field) => fields.includes(field));
  const added = new Map((indexes ?? collection.indexes.filter(named)).map((index) => indexOf(collection.name, index)));
  const unique = Object.entries(spec.unique).filter(([, key]) => key.some((column) => column in columns));
  const reshape: Reshape = {
    table: collection.name,
    shape,
    marks: shape === 2,
    columns,
    indexes: [...added.values()],
    ...(unique.length > 0 ? { unique: Object.fromEntries(unique) } : {}),
    collection: collection as unknown as StoredCollection,
  };
  return { number, name, tables: [], reshapes: [reshape], phase: "expand" };
}

/**
 * The migration before the last one of a shape that adds unique keys. It fails, and holds that one, while records share
 * a key. Older code may go on writing.
 */
export function settleKeys<R extends StoredRecord>(
  number: number,
  name: string,
  collection: StoredCollection<R>,
  shape: number,
): Migration {
  return { ...settling(number, name, collection, shape, "keys"), phase: "expand" };
}

/**
 * The last migration of a shape: code that does not know it is refused from then on, and what such code has written is
 * filled and counted once more. After it the fields need not be declared as added.
 */
export function settleShape<R extends StoredRecord>(
  number: number,
  name: string,
  collection: StoredCollection<R>,
  shape: number,
): Migration {
  return settling(number, name, collection, shape, "shape");
}

function settling<R extends StoredRecord>(
  number: number,
  name: string,
  collection: StoredCollection<R>,
  shape: number,
  settles: "keys" | "shape",
): Migration {
  const { reshapes = [] } = addFields(number, name, collection, { shape, fields: [] });
  return { number, name, tables: [], reshapes: reshapes.map((each) => ({ ...each, marks: false, settles })) };
}

/** The unique keys of a table that code which still writes may not know, after all of these migrations. */
export function openKeys(migrations: readonly Migration[], table: string): Readonly<Record<string, readonly string[]>> {
  let open: Readonly<Record<string, readonly string[]>> = {};
  let isChecked = false;
  for (const { number, reshapes = [] } of migrations)
    for (const { table: of, unique = {}, settles } of reshapes) {
      if (of !== table) continue;
      if (settles === "shape" && Object.keys(open).length > 0 && !isChecked)
        throw new TypeError(`migration ${number} settles ${table}, and none before it settles its keys`);
      open = settles === "shape" ? {} : { ...open, ...unique };
      isChecked = settles === "keys";
    }
  return open;
}

function indexOf(table: string, declared: Index): readonly [string, IndexSpec] {
  const index = indexSpec(declared);
  return [indexName(table, index), index];
}

/** The tables as they are after all of these migrations. */
export function tablesOf(migrations: readonly Migration[]): readonly TableSpec[] {
  const specs = new Map<string, TableSpec>();
  for (const { tables, reshapes = [] } of migrations) {
    for (const spec of tables) specs.set(spec.name, spec);
    for (const { table, columns, indexes, unique = {}, shape } of reshapes) {
      const spec = specs.get(table);
      if (!spec) throw new TypeError(`no migration before makes the table ${table}`);
      const marks = Object.fromEntries(MARKS.map((mark) => [mark, "integer" as const]));
      specs.set(table, {
        ...spec,
        columns: { ...spec.columns, ...columns, ...marks },
        indexes: [...spec.indexes, ...indexes],
        unique: { ...spec.unique, ...unique },
        shape,
      });
    }
  }
  // Throws where a migration is missing that insists on the keys.
  for (const { name, shape } of specs.values()) if (shape !== undefined) openKeys(migrations, name);
  return [...specs.values()];
}
