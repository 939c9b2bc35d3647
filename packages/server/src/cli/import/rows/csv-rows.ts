import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, type Info, parse } from "csv-parse";
import { Failure } from "../../../failure.js";
import { textOf, withFirstLine } from "./read-text.js";
import type { Row, Rows } from "./row.js";

/** The longest row in characters, so that a quotation mark too many does not take in the whole file. */
const MOST_CHARACTERS = 1_000_000;
const DELIMITERS = [",", ";", "\t", "|"];

interface Parsed {
  readonly record: readonly string[];
  readonly info: Info;
}

/** The rows of a table with a header. Throws a `Failure` without one, or where a column stands in it twice. */
export async function csvRows(file: string): Promise<Rows> {
  const [first, text] = await withFirstLine(textOf(file), MOST_CHARACTERS);
  const parser = parse({
    delimiter: delimiterIn(first),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_CHARACTERS,
  });
  // A fault reaches whoever reads the parser.
  pipeline(Readable.from(text), parser).catch(() => undefined);
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Parsed>;
  const next = () => records.next().catch((error: unknown) => Promise.reject(csvFailure(file, error)));
  const head = await next();
  if (head.done) throw new Failure(`${file} is empty; its first line names the columns`);
  const header = head.value.record.map((name) => name.trim());
  refuseTwice(file, header);
  return { unit: "line", header, rows: rowsOf(header, next, head.value.info.lines) };
}

async function* rowsOf(
  header: readonly string[],
  next: () => Promise<IteratorResult<Parsed>>,
  end: number,
): AsyncGenerator<Row> {
  let before = end;
  for (let read = await next(); !read.done; read = await next()) {
    const { record, info } = read.value;
    const at = before + 1;
    before = info.lines;
    const beyond = record.slice(header.length).filter((cell) => cell.trim() !== "").length;
    if (beyond > 0) yield { at, fault: `The row has ${record.length} cells, and the header names ${header.length}.` };
    else yield { at, value: Object.fromEntries(header.map((name, column) => [name, record[column] ?? ""])) };
  }
}

/** The delimiter that stands most often in the header, outside of quotation marks. */
function delimiterIn(first: string): string {
  const [line = ""] = first.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/);
  const often = DELIMITERS.map((delimiter) => ({ delimiter, times: line.split(delimiter).length }));
  return often.reduce((most, one) => (one.times > most.times ? one : most)).delimiter;
}

function refuseTwice(file: string, header: readonly string[]): void {
  const named = header.map((name, at) => ({ name, column: at + 1 })).filter(({ name }) => name !== "");
  for (const { name, column } of named) {
    const other = named.find((one) => one.name === name && one.column < column);
    if (other) throw new Failure(`${file}: columns ${other.column} and ${column} are both named "${name}"; rename one`);
  }
}

function csvFailure(file: string, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { lines } = error as CsvError & Partial<Info>;
  const isQuote = error.code.includes("QUOTE") || error.code === "CSV_MAX_RECORD_SIZE";
  const what = isQuote ? "a quotation mark is not closed, or stands in a cell without being doubled" : error.message;
  return new Failure(`${file}, line ${lines}: ${what}; the import stops there`);
}
