/** What is written to the other database, by table. */
export interface Written {
  readonly inserted?: readonly string[];
  /** Tables whose rows are there in an earlier state. Columns that differ since are updated. */
  readonly updated?: readonly string[];
}

export const listed = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

/** Rows that are compared to tell which columns differ. */
export const SAMPLE = "tenant_id = ? order by id limit 100";

/** The columns in which any row differs from what it was. */
export function changedColumns(
  names: readonly string[],
  before: readonly unknown[][],
  after: readonly unknown[][],
): string[] {
  const differs = (at: number) =>
    after.some((row, place) => JSON.stringify(row[at]) !== JSON.stringify(before[place]?.[at]));
  return names.filter((_, at) => differs(at));
}
