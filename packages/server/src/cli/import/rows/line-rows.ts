import { linesOf } from "../../lines.js";
import { type Row, type Rows, rowOf } from "./row.js";

/** The JSON objects of a file with one on each line. Blank lines are read over. */
export function lineRows(file: string): Rows {
  return { unit: "line", rows: rowsOf(file) };
}

async function* rowsOf(file: string): AsyncGenerator<Row> {
  let at = 0;
  for await (const text of linesOf(file)) {
    at += 1;
    if (text === undefined) yield { at, fault: "The line is not UTF-8." };
    else if (text.trim() !== "") yield parsed(at, text);
  }
}

function parsed(at: number, text: string): Row {
  try {
    return rowOf(at, JSON.parse(text));
  } catch {
    return { at, fault: "The line is no JSON." };
  }
}
