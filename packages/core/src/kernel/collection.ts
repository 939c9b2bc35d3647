import type { z } from "zod";
import type { Machine } from "./machine.js";

/** How a declared field is held in its column. Times are RFC 3339 UTC text with milliseconds, so text order is time order. */
export type FieldType = "text" | "integer" | "boolean" | "time";

/** A value a column can hold. `null` means the record has no such value. */
export type FieldValue = string | number | boolean | null;

/** What every stored record carries. `version` starts at 1 and rises by one with every replace. */
export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
}

/** One indexed field: its column type and, when it is not simply the property of the same name, how to read it off a record. */
export interface Field<R> {
  readonly type: FieldType;
  readonly of?: (record: R) => FieldValue | undefined;
}

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
  readonly description?: string;
}

/** A declared collection: the only thing a store needs to know about a kind of record. */
export interface Collection<R extends StoredRecord = StoredRecord> {
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
  /** How the record is named in events and links: `asset` gives `asset.created`, the path is that of the collection. */
  readonly resource?: {
    readonly type: string;
    readonly event: string;
    readonly path: string;
    /** Its family writes it with events of its own, and never by `insert`, `update` and `remove` of a context. */
    readonly ownEvents?: true;
  };
  /** The limit of the tenant that its records count against. */
  readonly limit?: string;
  /** Ids of other records whose activity shows what happens to this one. */
  readonly related?: (record: R) => readonly string[];
  /** The machine that owns each machine-owned field. */
  readonly machines?: Readonly<Record<string, Machine>>;
  /** Properties that hold text sealed by the vault, so that rotation finds them. */
  readonly sealed: readonly string[];
  /** Keep removed rows, invisible to every read, until retention takes them; otherwise removal deletes. Searchable collections must. */
  readonly retain: boolean;
  /**
   * Properties that the SQL console never shows, at the top level of the record; sealed ones are always among them. A
   * collection that is no resource shows nothing but ids and times until it says what is secret: `[]` when nothing is.
   */
  readonly secrets?: readonly string[];
  /** Caches hold what it says: a commit that writes it is told to other processes where the store can (`Store.watch`). */
  readonly watched: boolean;
  /** What time alone does to a record; `staleAt` and `derive` follow from it. */
  readonly ages?: Aging<R>;
  /** The moment from which the stored text is no longer what a reader must see; `null` when it never ages. */
  readonly staleAt?: (record: R) => string | null;
  /** What a reader sees at `now` of a record whose `staleAt` has passed. */
  readonly derive?: (record: R, now: string) => R;
}

/** What time brings about: readers see it at once, the next write or `tick` stores it with its event. */
export interface Aging<R> {
  /** The time field that says when; an index must be ordered by it. */
  readonly by: string;
  readonly machine: Machine;
  /** An automatic event of the machine; a function where it depends on the record, which gives `null` when no state changes. */
  readonly event: string | ((record: R) => string | null);
  readonly reason: string;
  /** Fields that change as well; with them the record is no longer due at that moment. */
  readonly patch?: (record: R) => Partial<R>;
}

type Optional =
  | "scope"
  | "fields"
  | "indexes"
  | "unique"
  | "filters"
  | "orders"
  | "counted"
  | "sealed"
  | "retain"
  | "watched";

/** Declares a collection and fills in what was left out: tenant scope, no fields, newest-first listing. */
export function defineCollection<R extends StoredRecord>(
  spec: Omit<Collection<R>, Optional> & Partial<Pick<Collection<R>, Optional>>,
): Collection<R> {
  const collection: Collection<R> = {
    scope: "tenant",
    fields: {},
    unique: {},
    filters: {},
    orders: {},
    counted: [],
    sealed: [],
    retain: false,
    watched: false,
    ...spec,
    ...(spec.ages ? aging(spec.fields ?? {}, spec.ages) : {}),
    ...(spec.secrets || spec.resource ? { secrets: [...(spec.secrets ?? []), ...(spec.sealed ?? [])] } : {}),
    indexes: [{ where: [] }, ...(spec.indexes ?? [])],
  };
  const named = [
    ...collection.indexes.flatMap((index) => [...index.where, index.by ?? "createdAt"]),
    ...Object.values(collection.unique).flat(),
    ...collection.counted,
    ...Object.entries(collection.filters).map(([name, { field = name }]) => field),
    ...Object.values(collection.orders),
  ];
  for (const field of named) {
    if (field !== "createdAt" && !(field in collection.fields)) {
      throw new Error(`collection ${collection.name}: "${field}" is not a declared field`);
    }
  }
  for (const by of Object.values(collection.orders)) {
    if (!collection.indexes.some((index) => index.where.length === 0 && (index.by ?? "createdAt") === by)) {
      throw new Error(`collection ${collection.name}: no index has all records in the order by "${by}"`);
    }
  }
  if (collection.search && !collection.retain) {
    throw new Error(`collection ${collection.name}: a searchable one retains`);
  }
  return Object.freeze(collection);
}

/** Changes that follow from one another at the same moment; more would be a mistake in a declaration. */
const STEPS = 4;

function aging<R extends StoredRecord>(
  fields: Readonly<Record<string, Field<R>>>,
  ages: Aging<R>,
): Pick<Collection<R>, "staleAt" | "derive"> {
  const { by, machine, event } = ages;
  const field = fields[by];
  const automatic = machine.transitions.filter((transition) => transition.automatic);
  const known = typeof event === "string" ? automatic.some((row) => row.event === event) : automatic.length > 0;
  if (field?.type !== "time" || !known) throw new Error(`aging of ${machine.name} by "${by}" is not declared`);
  const staleAt = (record: R) =>
    ((field.of ? field.of(record) : (record as Record<string, unknown>)[by]) ?? null) as string | null;
  const step = (record: R): R => {
    const next = agingEvent(ages, record);
    const row = automatic.find((candidate) => candidate.event === next);
    return { ...record, ...ages.patch?.(record), ...(row ? { [machine.field]: row.to } : {}) };
  };
  return {
    staleAt,
    derive(record, now) {
      let seen = step(record);
      for (let steps = 1; steps < STEPS && ages.patch && (staleAt(seen) ?? "~") <= now; steps += 1) seen = step(seen);
      return seen;
    },
  };
}

/** The event that time brings about for a record whose moment has come; `null` when its state stays. */
export function agingEvent<R>({ event }: Aging<R>, record: R): string | null {
  return typeof event === "string" ? event : event(record);
}

/** The value of a declared field on a record, with `undefined` folded to `null`. */
export function fieldValue<R extends StoredRecord>(collection: Collection<R>, record: R, field: string): FieldValue {
  if (field === "createdAt") return record.createdAt;
  const declared = collection.fields[field];
  if (!declared) throw new Error(`collection ${collection.name}: "${field}" is not a declared field`);
  const value = declared.of ? declared.of(record) : (record as Record<string, unknown>)[field];
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
