/** A claim on a quota that all processes share: at most `limit` units in the window that ends at `until`. */
export interface QuotaClaim {
  /** Names the quota within its tenant. */
  readonly key: string;
  readonly limit: number;
  /**
   * End of the window in milliseconds since the epoch. A later end than the stored one starts a new, unused window. An
   * earlier one counts in the stored window.
   */
  readonly until: number;
  /** Units already used without a grant. They always count. */
  readonly spent: number;
  /** Units wanted now. */
  readonly wanted: number;
}

/** What was granted of a quota, and what is left to all processes in this window. */
export interface QuotaGrant {
  readonly granted: number;
  readonly left: number;
}
