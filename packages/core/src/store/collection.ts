import type { z } from "zod";
import { type Comparison, comparable } from "./comparison.js";
import { textMark, textsColumn } from "./texts.js";

/**
 * The type of a declared field's column. Times are RFC 3339 UTC text with milliseconds, so text order is time order.
 * `texts` holds several texts of a record. It supports filters only: no index, key, counter or order.
 */
export type FieldType = "text" | "integer" | "boolean" | "time" | "texts";

/** A value of a column. `null` means that the record has none. */
export type FieldValue = string | number | boolean | null;

/** What every stored record has. `version` starts at 1 and rises by one with every replace. */
export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
}

/** An indexed field: its column type, and how to read it from a record unless it is the property of the same name. */
export type Field<R> =
  | {
      readonly type: "text";
      /**
       * Fields whose values it holds together, joined by colons. If it is counted, a filter by all of them gets its
       * total from the counters.
       */
      readonly combines: readonly string[];
      /**
       * A filter by some of them gets its total from the counters too, which takes those of all combinations that there
       * are, up to a limit. For fields of few values. It holds each value with a mark of its place.
       */
      readonly partly?: true;
    }
  | {
      readonly type: Exclude<FieldType, "texts">;
      readonly of?: (record: R) => FieldValue | undefined;
      /** How its texts are compared; `canonical` when absent. */
      readonly compare?: Comparison;
    }
  | { readonly type: "texts"; readonly of?: (record: R) => readonly string[] };

/**
 * A query that a collection supports: equality on exactly `where`, ordered by `by` (default `createdAt`) with the id as
 * tie-break, in either direction. Every index starts with the tenant id.
 */
export interface Index {
  readonly where: readonly string[];
  readonly by?: string;
  /**
   * Has only records with a value of `by`, so it serves queries with a `range` of it and no others. For times that few
   * records have.
   */
  readonly partial?: true;
}

/**
 * Makes a record of one shape a record of the next. It is pure, keeps what it does not know, and may meet what it made
 * itself, because older code keeps it while it changes the rest.
 */
export type Upcast = (stored: Readonly<Record<string, unknown>>) => object;

/** A published filter of lists. */
export interface ListFilter {
  /** The declared field that it filters by; the one of its own name when absent. */
  readonly field?: string;
  /** The possible values; any text when absent. */
  readonly values?: readonly string[];
  /**
   * The kind of record whose ids it holds, for a kind with another side: the id of that other side is taken for it.
   */
  readonly ids?: string;
  /** Takes `true` and `false`, for a boolean field. */
  readonly type?: "boolean";
  /** The time field at which time alone changes the filtered value. An index of all records must be ordered by it. */
  readonly changesAt?: string;
  /** Records without any value match every value, because having none means all. */
  readonly orNone?: true;
  /** Maximum length of a text value; 200 characters when absent. */
  readonly maxLength?: number;
  readonly description?: string;
}

/** A kind of record, as far as a store needs to know it. */
export interface StoredCollection<R extends StoredRecord = StoredRecord> {
  /** Table name, snake_case, plural. */
  readonly name: string;
  /** Prefix of generated ids (`ast` in `ast_01J…`), or `null` when callers choose ids. */
  readonly prefix: string | null;
  /**
   * `tenant`: unique keys hold within a tenant. `platform`: they hold across tenants, and `Store.platform` can read
   * rows.
   */
  readonly scope: "tenant" | "platform";
  /** Shape of a record. It never contains the tenant id. */
  readonly schema: z.ZodType<R>;
  readonly fields: Readonly<Record<string, Field<R>>>;
  readonly indexes: readonly Index[];
  /** Unique keys by name. A key with a `null` in any field does not apply. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** Unique keys that hold within a tenant in a collection of platform scope: several tenants may hold the same values. */
  readonly uniqueInTenant: readonly string[];
  /** The filters of its lists, by the name of the parameter. */
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** The orders of its lists: names with their fields. `createdAt` is always one. */
  readonly orders: Readonly<Record<string, string>>;
  /** Fields whose values are counted in the transaction of each write. The total of all records is always counted. */
  readonly counted: readonly string[];
  /** Text that `search` covers; absent when the collection cannot be searched. */
  readonly search?: (record: R) => string;
  /** Properties that the vault seals, so that key rotation finds them. */
  readonly sealed: readonly string[];
  /**
   * Keeps removed rows, invisible to reads, until retention deletes them. Otherwise removal deletes at once. Searchable
   * collections must retain.
   */
  readonly retain: boolean;
  /**
   * Top-level properties that the SQL console never shows, in addition to sealed ones. A collection that is no resource
   * shows only ids and times until this is set; `[]` means that nothing is secret.
   */
  readonly secrets?: readonly string[];
  /**
   * Caches depend on it. Commits that write it are announced to other processes where the store can (`Store.watch`).
   */
  readonly broadcast: boolean;
  /** The version of the shape of its records; 1 when absent. */
  readonly shapeVersion?: number;
  /** Makes records of a shape those of the next, by the version that it reads. One for each version before the present. */
  readonly upcasts?: Readonly<Record<number, Upcast>>;
  /**
   * Fields that are newer than code which may still write. A query by one first fills the rows of its tenant that such
   * code has written.
   */
  readonly addedFields?: readonly string[];
  /** The moment from which the stored text is out of date; `null` for never. */
  readonly staleAt?: (record: R) => string | null;
  /** The record as readers see it at `now`, once `staleAt` has passed. */
  readonly derive?: (record: R, now: string) => R;
}

/** Several fields' values as one text. */
export function combined(values: readonly FieldValue[]): string {
  return values.join(":");
}

/** A value with its place among several. None is no value, as which the text "null" could be taken. */
function placed(place: number, value: FieldValue): string {
  return value === null ? `${place}` : `${place}=${value}`;
}

/** The mark that a text of several fields contains where the field at this place has this value, and nowhere else. */
export function placeMark(place: number, value: FieldValue): string {
  return textMark(placed(place, value));
}

/** The value of a declared field: `null` for `undefined`, and several texts in the form of their column. */
export function fieldValue<R extends StoredRecord>(
  collection: StoredCollection<R>,
  record: R,
  field: string,
): FieldValue {
  if (field === "createdAt") return record.createdAt;
  const declared = collection.fields[field];
  if (!declared) throw new Error(`collection ${collection.name}: "${field}" is not a declared field`);
  return declaredValue(collection, record, field, declared);
}

/** The value of a field whose declaration is at hand. */
export function declaredValue<R extends StoredRecord>(
  collection: StoredCollection<R>,
  record: R,
  field: string,
  declared: Field<R>,
): FieldValue {
  if ("combines" in declared) return combinedValue(declared, (name) => fieldValue(collection, record, name));
  const value = declared.of ? declared.of(record) : (record as Record<string, unknown>)[field];
  if (declared.type === "texts") return textsColumn(value as readonly string[]);
  if (declared.type !== "text") return (value ?? null) as FieldValue;
  return comparable(declared, (value ?? null) as FieldValue);
}

/** The value of a field that combines others, by theirs. */
export function combinedValue(
  { combines, partly }: { readonly combines: readonly string[]; readonly partly?: true },
  valueOfPart: (part: string) => FieldValue,
): FieldValue {
  const values = combines.map(valueOfPart);
  return partly ? textsColumn(values.map((value, place) => placed(place, value))) : combined(values);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `id` has the form of this collection's ids. Others need no query. */
export function isIdOf(collection: { readonly prefix: string | null }, id: string): boolean {
  if (collection.prefix === null) return id.length > 0 && id.length <= 255;
  const mark = collection.prefix.length;
  return (
    id.length === mark + 27 && id.startsWith(collection.prefix) && id[mark] === "_" && ULID.test(id.slice(mark + 1))
  );
}

/** Whether a text would be an id of a collection in other letters, or without blanks and signs that are not seen. */
export function resemblesIdOf(collection: Parameters<typeof isIdOf>[0], text: string): boolean {
  if (text.length > 1_000) return false;
  // Most texts have neither blanks nor signs, and another length than an id.
  if (collection.prefix !== null && text.length !== collection.prefix.length + 27 && /^\w*$/.test(text)) return false;
  const [prefix = "", ...rest] = text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}_]/gu, "")
    .split("_");
  return isIdOf(collection, `${prefix.toLowerCase()}_${rest.join("_").toUpperCase()}`);
}
