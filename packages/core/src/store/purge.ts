/**
 * Which rows of a tenant are deleted for good: all of them, whatever holds them, or removed ones that retaining
 * collections have kept since this time or longer.
 */
export type Purge = "all" | { readonly removedThrough: string };

/** What was deleted for good. */
export interface Purged {
  /** How many records by collection, and how many `events`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether nothing of this kind is left. */
  readonly done: boolean;
}
