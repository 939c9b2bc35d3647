/** One record of a file: what it holds, or why it cannot be read. */
export type Row =
  | { readonly at: number; readonly value: Readonly<Record<string, unknown>>; readonly fault?: undefined }
  | { readonly at: number; readonly fault: string };

/** The records of a file, one at a time. */
export interface Rows {
  /** What `at` of a row counts, from 1: lines of the file, or items of its list. */
  readonly unit: "line" | "item";
  /** The columns of a table, in order. A blank header is empty. */
  readonly header?: readonly string[];
  readonly rows: AsyncIterable<Row>;
}

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The row of a JSON value. */
export function rowOf(at: number, value: unknown): Row {
  return isObject(value) ? { at, value } : { at, fault: "An item is a JSON object." };
}
