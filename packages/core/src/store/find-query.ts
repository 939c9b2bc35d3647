import type { FieldValue, StoredCollection } from "./collection.js";

/** Equality on declared fields. The set of names must be one that the collection declares an index for. */
export type Where = Readonly<Record<string, FieldValue>>;

/** Conditions on declared fields: one value, or several of which one must match. */
export type Filters = Readonly<Record<string, FieldValue | readonly FieldValue[]>>;

/** A field to order by; default `createdAt`, descending. `null` counts as largest: last in ascending order. */
export interface Order {
  readonly by?: string;
  readonly direction?: "asc" | "desc";
}

/** A value of an order field. */
export type Place = string | number | null;

/** The end of a page: the value of the order field, and the id as tie-break. */
export interface Position {
  readonly by: Place;
  readonly id: string;
  /** Values of the further order fields. */
  readonly then?: readonly Place[];
  /** The run that was sorted, when all rows were too many. */
  readonly run?: Run;
}

/** A run of rows in the order of one field: after `from`, up to and including `to`. */
export interface Run {
  readonly from?: Position;
  readonly to?: Position;
}

/**
 * What to find. It may name only what the collection declares; anything else throws before the database is asked.
 * Without a covering index a bounded number of rows is examined, so a page may be short although `next` is set.
 */
export interface FindQuery {
  readonly where?: Filters;
  /** Words that a row's folded search text must all contain. `%` and `_` have no special meaning. */
  readonly search?: string;
  /** One order field or several, the id last. Newest first when absent. */
  readonly order?: Order | readonly Order[];
  /**
   * Bounds of the order field. `from` and `through` are inclusive, `before` is exclusive. Use `before` or `through`,
   * not both.
   */
  readonly range?: {
    readonly from?: string | number;
    readonly before?: string | number;
    readonly through?: string | number;
  };
  /** 1 to 1,000 rows. */
  readonly size: number;
  /** Zero-based page number. Excludes `after`. */
  readonly page?: number;
  /** Continues after this position. Excludes `page`. */
  readonly after?: Position;
  /** The most rows to examine without a covering index; `SCAN_LIMIT` when absent and at most. */
  readonly bound?: number;
}

/** What to count. */
export type CountQuery = Pick<FindQuery, "where" | "search" | "bound">;

/** A time field, of the rows with `where`. Keep it, so that it is checked once. */
export interface FirstQuery {
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly collection: StoredCollection<any>;
  readonly where?: Where;
  readonly by: string;
}
