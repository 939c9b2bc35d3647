/** A value of a parameter or of an answer. What JSON cannot hold exactly is text: whole numbers beyond 2^53, bytes as `\\x…`. */
export type SqlValue = string | number | boolean | null;

/** One question and how far its answer may go. */
export interface SqlQuestion {
  readonly statement: string;
  /** Values of `$1`, `$2`, … on PostgreSQL, of each `?` in turn on SQLite. */
  readonly parameters: readonly SqlValue[];
  readonly maxRows: number;
  /** Bytes of the rows as JSON. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** The rows found, in the order of `columns`; `truncated` when there were more than the limits let through. */
export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly truncated: boolean;
  /** Milliseconds from start to end, as the store measured them. */
  readonly durationMs: number;
}

/**
 * Answers one reading statement over redacted views of all tenants. Whatever the statement says, nothing is changed and
 * nothing that a collection keeps secret is seen. Rejects with `refused` when the database does not take the statement and
 * with `timeout` when it does not end in time.
 */
export interface SqlConsole {
  run(question: SqlQuestion): Promise<SqlAnswer>;
}
