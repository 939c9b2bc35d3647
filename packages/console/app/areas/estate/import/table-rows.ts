/** A record of a table, with the line that it begins at. */
export interface TableRow {
  readonly at: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [",", ";", "\t", "|"];

/** The records of a table with cells in quotation marks where they need them. `undefined` where a mark is never closed. */
export function tableRows(text: string): readonly TableRow[] | undefined {
  const delimiter = delimiterIn(text);
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let [line, begun, place] = [1, 1, 0];
  const end = (next: number) => {
    if (cells.some((cell) => cell.trim() !== "")) rows.push({ at: begun, cells });
    cells = [];
    begun = next;
  };
  while (place < text.length) {
    const isQuoted = text[place] === '"';
    const cell = isQuoted ? quotedAt(text, place) : plainAt(text, place, delimiter);
    if (!cell) return undefined;
    cells.push(cell.value);
    line += cell.value.split("\n").length - 1;
    place = cell.end;
    if (text[place] === delimiter) {
      place += 1;
      if (place < text.length && text[place] !== "\n" && text[place] !== "\r") continue;
      cells.push("");
    } else if (place < text.length && text[place] !== "\n" && text[place] !== "\r") return undefined;
    if (text[place] === "\r" && text[place + 1] === "\n") place += 1;
    place += 1;
    line += 1;
    end(line);
  }
  return rows;
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

function quotedAt(text: string, start: number): Cell | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return { value: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 };
    at += 1;
  }
  return undefined;
}

function plainAt(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { value: text.slice(start, end), end };
}

/** The delimiter that stands most often in the header, outside of quotation marks. */
function delimiterIn(text: string): string {
  const [line = ""] = text.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const often = DELIMITERS.map((delimiter) => ({ delimiter, times: line.split(delimiter).length }));
  return often.reduce((most, one) => (one.times > most.times ? one : most)).delimiter;
}
