import { JSONParser } from "@streamparser/json";
import { Failure } from "../../../failure.js";
import { textOf } from "./read-text.js";
import { type Row, type Rows, rowOf } from "./row.js";

/**
 * The items of a JSON list: of the document itself, or of its member `list`, which may be a path with dots. Without a
 * name it is the only member that is a list. The document is read in pieces.
 */
export function jsonRows(file: string, list: string | undefined): Rows {
  return { unit: "item", rows: itemsOf(file, list) };
}

async function* itemsOf(file: string, list: string | undefined): AsyncGenerator<Row> {
  let items: ItemReader | undefined;
  let [at, begin] = [0, ""];
  for await (const text of textOf(file)) {
    begin = items ? "" : begin + text;
    if (!items && begin.trim() === "") continue;
    try {
      items ??= new ItemReader(file, begin.trimStart().startsWith("["), list);
      items.read(begin || text);
    } catch (error) {
      throw error instanceof Failure ? error : new Failure(`${file} is no JSON after item ${at}: ${reasonOf(error)}`);
    }
    for (const value of items.take()) yield rowOf(++at, value);
  }
  if (!items?.isEnded) throw new Failure(`${file} is no whole JSON: it ends after item ${at}`);
  if (at === 0 && list !== undefined) throw new Failure(`${file} has no list "${list}" with items`);
}

/** Collects the items of one list while the document around it is read. */
class ItemReader {
  readonly #parser: JSONParser;
  #found: unknown[] = [];
  #list: string | undefined;

  constructor(file: string, isList: boolean, list: string | undefined) {
    const path = list === undefined ? (isList ? "$.*" : "$.*.*") : `$.${list}.*`;
    this.#parser = new JSONParser({ paths: [path], keepStack: false });
    this.#parser.onValue = ({ value, parent, stack }) => {
      if (!Array.isArray(parent)) return;
      const name = stack.map(({ key }) => key ?? "$").join(".");
      this.#list ??= name;
      if (name !== this.#list) throw new Failure(`${file} holds several lists; name one by "items" in a mapping file`);
      this.#found.push(value);
    };
  }

  get isEnded(): boolean {
    return this.#parser.isEnded;
  }

  read(text: string): void {
    this.#parser.write(text);
  }

  take(): readonly unknown[] {
    return this.#found.splice(0);
  }
}

function reasonOf(error: unknown): string {
  const [reason = ""] = (error as Error).message.split(" at chunk position");
  return reason;
}
