import type { PastChange } from "#families/activity/index.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { Review, ReviewKindName } from "./schema.js";

/** What waits about one record. `key` tells several apart. */
export interface Waiting extends Pick<Review, "requestedBy"> {
  readonly key?: string;
  readonly name: string;
  readonly assetId: string | null;
  readonly assignee?: string | null;
  readonly dueAt?: string | null;
  readonly endsAt?: string | null;
}

/** Who asked for something, when and why. */
export interface Asked {
  readonly by: string | null;
  readonly at: string;
  readonly reason: string | null;
}

/** A kind of review: the records that it follows, and who sees and decides it. */
export interface ReviewKind<R extends StoredRecord> {
  readonly kind: ReviewKindName;
  readonly collection: Collection<R>;
  /** The permission without which it is not shown. */
  readonly reads: string;
  /** The permission that deciding takes. */
  readonly decides: string;
  /** Each row waits for one person by name, who is its key. Nobody else can be assigned to it. */
  readonly isPersonal?: true;
  /** Whoever asked for it may do it as well. */
  readonly takesAsker?: true;
  /** The record to decide about, where it is not this one. */
  readonly subject?: (record: R) => Review["subject"];
  /** Who asked, when and why, where the record says it. */
  readonly asked?: (record: R) => Asked | null;
  /** The transitions that ask for it, whose events say why. */
  readonly asks?: readonly string[];
  /** Whether an event approves what the record says. Absent where each record is decided once. */
  readonly approves?: (event: PastChange) => boolean;
  /** The transitions that refuse it. */
  readonly refuses?: readonly string[];
  /** The fields whose changes are told; all but those that Reeve keeps for itself, if absent. */
  readonly tells?: readonly string[];
  /** What waits about a record as it is stored. */
  readonly waiting: (record: R) => readonly Waiting[];
}

// biome-ignore lint/suspicious/noExplicitAny: kinds of different records stand in one list
export type AnyReviewKind = ReviewKind<any>;

/** An event that approves by one of these transitions. */
export const by =
  (...moves: readonly string[]) =>
  ({ move }: PastChange): boolean =>
    move !== null && moves.includes(move);

/** Declares a kind. Its record type follows from the collection. */
export function defineReviewKind<R extends StoredRecord>(kind: ReviewKind<R>): AnyReviewKind {
  return Object.freeze(kind);
}
