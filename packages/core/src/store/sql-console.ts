/** A value of a parameter or an answer. Whole numbers beyond 2^53 are text, and bytes are `\\x…`. */
export type SqlValue = string | number | boolean | null;

/** A statement with the limits of its answer. */
export interface SqlQuestion {
  readonly statement: string;
  /** Values of `$1`, `$2`, … on PostgreSQL, of each `?` in turn on SQLite. */
  readonly parameters: readonly SqlValue[];
  readonly maxRows: number;
  /** Bytes of the rows as JSON. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** The rows found, with values in the order of `columns`. `truncated` when the limits cut rows off. */
export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly truncated: boolean;
  /** Milliseconds that the statement took, measured by the store. */
  readonly durationMs: number;
}

/**
 * Runs one reading statement over redacted views of all tenants. No statement can change anything or see what
 * collections keep secret. Rejects with `refused` when the database does not accept the statement, and with `timeout`.
 */
export interface SqlConsole {
  run(question: SqlQuestion): Promise<SqlAnswer>;
}
