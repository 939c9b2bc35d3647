import type { z } from "zod";
import { textsColumn } from "./texts.js";

/**
 * How a declared field is held in its column. Times are RFC 3339 UTC text with milliseconds, so text order is time order.
 * `texts` are several texts of one record: they can be filtered by, and are in no index, key, counter or order.
 */
export type FieldType = "text" | "integer" | "boolean" | "time" | "texts";

/** A value a column can hold. `null` means the record has no such value. */
export type FieldValue = string | number | boolean | null;

/** What every stored record carries. `version` starts at 1 and rises by one with every replace. */
export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
}

/** One indexed field: its column type and, when it is not simply the property of the same name, how to read it off a record. */
export type Field<R> =
  | {
      readonly type: "text";
      /** Fields whose values it holds together, with colons between; where it is counted, a filter by all of them has its total from there. */
      readonly combines: readonly string[];
    }
  | { readonly type: Exclude<FieldType, "texts">; readonly of?: (record: R) => FieldValue | undefined }
  | { readonly type: "texts"; readonly of?: (record: R) => readonly string[] };

/**
 * One way a collection may be queried: equality on exactly `where`, ordered by `by` (default `createdAt`) with the id as
 * tie-break, in either direction. Every index leads with the tenant id.
 */
export interface Index {
  readonly where: readonly string[];
  readonly by?: string;
}

/** A published filter of lists. */
export interface ListFilter {
  /** The declared field it is about; the one of its own name when absent. */
  readonly field?: string;
  /** The values there are; any text when absent. */
  readonly values?: readonly string[];
  /** `true` and `false` where the field holds these. */
  readonly type?: "boolean";
  /** The time field that says when time alone changes what is filtered by; an index of all records must be ordered by it. */
  readonly changesAt?: string;
  /** Whether a record without any value passes whatever value is asked for: where none stands for all. */
  readonly orNone?: true;
  /** How long any text may be; 200 characters when absent. */
  readonly maxLength?: number;
  readonly description?: string;
}

/** The only thing a store needs to know about a kind of record. */
export interface StoredCollection<R extends StoredRecord = StoredRecord> {
  /** Table name, snake_case, plural. */
  readonly name: string;
  /** Prefix of minted ids (`ast` in `ast_01J…`), or `null` when callers choose ids of their own. */
  readonly prefix: string | null;
  /** `tenant`: unique keys hold within a tenant. `platform`: they hold across tenants, and `Store.platform` can look rows up. */
  readonly scope: "tenant" | "platform";
  /** Shape of a record; the tenant id is never part of it. */
  readonly schema: z.ZodType<R>;
  readonly fields: Readonly<Record<string, Field<R>>>;
  readonly indexes: readonly Index[];
  /** Unique keys by name. A key with a `null` in any field does not constrain. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** What its lists are filtered by, by the name of the parameter. */
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** What its lists are ordered by: the field of each name. Beside them there is always `createdAt`. */
  readonly orders: Readonly<Record<string, string>>;
  /** Fields whose values are counted in the same transaction as the write; the total of all records is always counted. */
  readonly counted: readonly string[];
  /** Text that `search` looks in; absent when the collection cannot be searched. */
  readonly search?: (record: R) => string;
  /** Properties that hold text sealed by the vault, so that rotation finds them. */
  readonly sealed: readonly string[];
  /** Keep removed rows, invisible to every read, until retention takes them; otherwise removal deletes. Searchable collections must. */
  readonly retain: boolean;
  /**
   * Properties that the SQL console never shows, at the top level of the record; sealed ones are always among them. A
   * collection that is no resource shows nothing but ids and times until it says what is secret: `[]` when nothing is.
   */
  readonly secrets?: readonly string[];
  /**
   * Caches depend on it: commits that write it are announced to other processes where the store can (`Store.watch`).
   */
  readonly broadcast: boolean;
  /** The moment from which the stored text is out of date; `null` for never. */
  readonly staleAt?: (record: R) => string | null;
  /** What a reader sees at `now` of a record whose `staleAt` has passed. */
  readonly derive?: (record: R, now: string) => R;
}

/** Values of several fields in one. */
export function combined(values: readonly FieldValue[]): string {
  return values.join(":");
}

/** The value of a declared field on a record, with `undefined` folded to `null` and several texts as their column holds them. */
export function fieldValue<R extends StoredRecord>(
  collection: StoredCollection<R>,
  record: R,
  field: string,
): FieldValue {
  if (field === "createdAt") return record.createdAt;
  const declared = collection.fields[field];
  if (!declared) throw new Error(`collection ${collection.name}: "${field}" is not a declared field`);
  if ("combines" in declared) return combined(declared.combines.map((name) => fieldValue(collection, record, name)));
  const value = declared.of ? declared.of(record) : (record as Record<string, unknown>)[field];
  if (declared.type === "texts") return textsColumn(value as readonly string[]);
  return (value ?? null) as FieldValue;
}

/**
 * Folds text for search, the same in every store: compatibility-normalised and without case. Through upper case `ß` becomes
 * `ss`; the two small sigmas become one, and the Turkish dotted capital an `i`.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC");
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `id` has the shape this collection's ids have; an id that does not is answered without asking the store. */
export function isIdOf(collection: { readonly prefix: string | null }, id: string): boolean {
  if (collection.prefix === null) return id.length > 0 && id.length <= 255;
  const mark = collection.prefix.length;
  return (
    id.length === mark + 27 && id.startsWith(collection.prefix) && id[mark] === "_" && ULID.test(id.slice(mark + 1))
  );
}
