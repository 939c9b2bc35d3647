/** Lines of a text, and whether the other text lacks them. */
export type Side = readonly { readonly text: string; readonly isChanged: boolean }[];

/** The most pairs of lines that are compared. Beyond, all lines between equal beginnings and ends count as changed. */
const MOST_PAIRS = 1_000_000;

/** Two texts line by line, with the longest sequence of lines that they share unmarked. */
export function linesOf(older: string, newer: string): { readonly before: Side; readonly after: Side } {
  const [one, other] = [older.split("\n"), newer.split("\n")];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const least = Math.min(one.length, other.length) - start;
  while (end < least && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const shared = sharedOf(one.slice(start, one.length - end), other.slice(start, other.length - end));
  const marked = (lines: readonly string[], kept: ReadonlySet<number>): Side =>
    lines.map((text, at) => ({
      text,
      isChanged: at >= start && at < lines.length - end && !kept.has(at - start),
    }));
  return { before: marked(one, shared.one), after: marked(other, shared.other) };
}

/** The places of the lines that two lists share in the same order. */
function sharedOf(one: readonly string[], other: readonly string[]) {
  const found = { one: new Set<number>(), other: new Set<number>() };
  if (one.length * other.length > MOST_PAIRS) return found;
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) {
      found.one.add(row);
      found.other.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return found;
}
