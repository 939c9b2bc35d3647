/** Numbers the parameters of a statement that has `?` for each value, and no other `?`. */
export function numbered(sql: string): string {
  let at = 0;
  return sql.replaceAll("?", () => `$${++at}`);
}
