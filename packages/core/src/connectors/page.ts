import type { IncompleteReason } from "./whole/reasons.js";

/** Which part of a listing is wanted. */
export interface PageRequest {
  /** `nextCursor` of the page before. Absent for the first page. */
  readonly cursor?: string;
  /** The most items wanted. A page may hold fewer. */
  readonly limit: number;
  /** Only what changed since then, if the target can tell. */
  readonly since?: Date;
}

/** A part of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins. A page may be empty and still have one. */
  readonly nextCursor?: string;
  /**
   * Whether the listing is whole with this page: the last page of a listing that left nothing out. Only then is
   * anything concluded from absence.
   */
  readonly complete: boolean;
  /** Why it is not whole, of a last page that is not complete. */
  readonly incomplete?: IncompleteReason;
  /** Items that the target listed and that cannot be used. */
  readonly rejected?: readonly RejectedItem[];
  /** Parts of items that were left out, because their form is odd. The items themselves are listed. */
  readonly warnings?: readonly LeftOutPart[];
}

export interface RejectedItem {
  readonly externalId?: string;
  readonly reason: string;
}

/** A part of an item that cannot be used. The rest of the item stands without it. */
export interface LeftOutPart {
  readonly externalId: string;
  /** Where it stands in what the target says, such as `packages[0].version`. */
  readonly part: string;
  /** What is odd about it, without quoting it. */
  readonly reason: string;
}

/** A page of a list that is in memory as a whole, with the offset as the cursor. */
export function pageOf<T>(all: readonly T[], { cursor, limit }: PageRequest): Page<T> {
  const start = cursor === undefined ? 0 : Number(cursor);
  const end = start + limit;
  return end < all.length
    ? { items: all.slice(start, end), nextCursor: String(end), complete: false }
    : { items: all.slice(start), complete: true };
}
