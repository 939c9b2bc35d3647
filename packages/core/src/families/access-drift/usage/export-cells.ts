/** What spreadsheets take for a formula, also in its full-width form. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A value as a cell of a table that no spreadsheet runs (RFC 4180). */
export function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  const safe = typeof value === "number" ? text : FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of cells with its line end. */
export const rowOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(",")}\r\n`;
