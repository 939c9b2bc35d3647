const LINE_FEED = 0x0a;
/** More than the names of a table take. */
const HEAD = 2_000;
const NAME = String.raw`("(?:[^"]|"")+"|[^\s".]+)`;
const COPY = new RegExp(`^COPY ${NAME}\\.${NAME} .*`, "s");
const END = "\\.";

/** Counts the rows of each table of a schema in the script of a dump, which comes in parts of any length. */
export class DumpRows {
  /** By the names of the tables. */
  readonly counts = new Map<string, number>();
  /** The beginning of the line that is under way, and its whole length. */
  #head = "";
  #length = 0;
  /** The table whose rows come. It is of another schema where it is `null`. */
  #table: string | null | undefined;

  constructor(private readonly schema: string) {}

  take(part: Buffer): void {
    let from = 0;
    for (let end = part.indexOf(LINE_FEED); end !== -1; end = part.indexOf(LINE_FEED, from)) {
      this.#goOn(part, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#goOn(part, from, part.length);
  }

  #goOn(part: Buffer, from: number, to: number): void {
    // A row is counted, and not looked at, unless it can be the mark of the end.
    const wanted = (this.#table === undefined ? HEAD : END.length) - this.#head.length;
    if (wanted > 0) this.#head += part.toString("latin1", from, Math.min(to, from + wanted));
    this.#length += to - from;
  }

  #endLine(): void {
    const line = this.#head;
    const isEnd = this.#length === END.length && line === END;
    this.#head = "";
    this.#length = 0;
    if (this.#table === undefined) this.#begin(line);
    else if (isEnd) this.#table = undefined;
    else if (this.#table !== null) this.counts.set(this.#table, (this.counts.get(this.#table) ?? 0) + 1);
  }

  #begin(line: string): void {
    const [, schema, table] = COPY.exec(line) ?? [];
    if (schema === undefined || table === undefined) return;
    this.#table = plain(schema) === this.schema ? plain(table) : null;
    if (this.#table !== null) this.counts.set(this.#table, 0);
  }
}

function plain(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
