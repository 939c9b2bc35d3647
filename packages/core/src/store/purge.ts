/** Which rows of a tenant are deleted for good: all of them, whatever holds them. */
export type Purge = "all";

/** What was deleted for good. */
export interface Purged {
  /** How many records by collection, and how many `events`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether nothing of this kind is left. */
  readonly done: boolean;
}
