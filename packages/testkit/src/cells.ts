/** One cell of a matrix row, with its name in failures. */
export type Cell<T> = readonly [name: string, cell: T];

/**
 * Checks every cell of a row in order and fails once at the end. The failure has the name and message of each failed
 * cell, and the difference and stack of the first. Throws for a row without cells, because it could not fail.
 */
export async function everyCell<T>(row: readonly Cell<T>[], check: (cell: T) => unknown): Promise<void> {
  if (row.length === 0) throw new Error("a row without cells checks nothing");
  const failures: { readonly name: string; readonly error: Error }[] = [];
  for (const [name, cell] of row) {
    try {
      await check(cell);
    } catch (error) {
      failures.push({ name, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  const [first] = failures;
  if (!first) return;
  const reported = failures.map(({ name, error }) => `- ${name}: ${error.message}`);
  first.error.message = [`${failures.length} of ${row.length} cells failed`, ...reported].join("\n");
  throw first.error;
}
