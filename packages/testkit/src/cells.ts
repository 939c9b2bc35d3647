/** One cell of a row of a matrix, by the name that a failure tells. */
export type Cell<T> = readonly [name: string, cell: T];

/**
 * Checks every cell of a row in order, whichever fails, and then fails once: with the name and the message of each cell that
 * failed, and the difference and stack of the first. A row without cells is refused, as it could not fail.
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
  const told = failures.map(({ name, error }) => `- ${name}: ${error.message}`);
  first.error.message = [`${failures.length} of ${row.length} cells failed`, ...told].join("\n");
  throw first.error;
}
