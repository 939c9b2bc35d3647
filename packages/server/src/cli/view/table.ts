import stringWidth from "string-width";
import { shownText } from "./shown-text.js";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null | undefined;
  /** Is never cut, as ids are. */
  readonly whole?: true;
}

const GAP = "  ";
/** The least width of a column that is cut. */
const LEAST = 8;

const segments = new Intl.Segmenter();

/** Rows as lines of a table, within `width` where columns may be cut for it. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width = Infinity): string[] {
  const cells = rows.map((row) => columns.map(({ of }) => shownText(String(of(row) ?? "–"))));
  const all = [columns.map(({ title }) => title.toUpperCase()), ...cells];
  const wanted = columns.map((_, at) => Math.max(...all.map((line) => stringWidth(line[at] as string))));
  const widths = fitted(wanted, columns, width);
  return all.map((line) =>
    line
      .map((cell, at) => padded(cut(cell, widths[at] as number), widths[at] as number))
      .join(GAP)
      .trimEnd(),
  );
}

/** Takes the width that is too much from the widest column that may be cut, again and again. */
function fitted(wanted: readonly number[], columns: readonly Column<never>[], width: number): number[] {
  const widths = [...wanted];
  const total = () => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  while (total() > width) {
    const cuttable = widths.map((each, at) => (columns[at]?.whole || each <= LEAST ? 0 : each));
    const widest = Math.max(...cuttable);
    if (widest === 0) break;
    widths[cuttable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of segments.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - stringWidth(text)));

/** Names and values, one a line. What is absent is left out. */
export function factsOf(facts: Readonly<Record<string, string | number | boolean | null | undefined>>): string[] {
  const present = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${shownText(String(value))}`);
}
