import { brand, brandOf, isBranded } from "../kernel/http/brand.js";
import type { StoredRecord } from "./collection.js";

const texts = new WeakMap<object, string>();

/** The JSON text of a record, made once: what is stored is what is served. A record must not be changed after this. */
export function recordText(record: object): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record);
    texts.set(record, text);
  }
  return text;
}

const ROW = brandOf("Row");

/** A stored record as its text, taken apart only when somebody asks for the value. */
export class Row<R extends StoredRecord> {
  /** Whether a value is one, also of another copy of this package in the process. */
  static is(value: unknown): value is Row<StoredRecord> {
    return isBranded(value, ROW);
  }

  #value: R | undefined;

  constructor(
    readonly tenantId: string,
    readonly id: string,
    readonly version: number,
    readonly text: string,
    /** From this moment on the text is out of date and the collection's `derive` must be asked; `null` for never. */
    readonly staleAt: string | null,
  ) {}

  /** The row that a record makes when it is stored. */
  static of<R extends StoredRecord>(tenantId: string, record: R, staleAt: string | null): Row<R> {
    const row = new Row<R>(tenantId, record.id, record.version, recordText(record), staleAt);
    row.#value = record;
    return row;
  }

  get value(): R {
    if (this.#value === undefined) {
      this.#value = JSON.parse(this.text) as R;
      texts.set(this.#value, this.text);
    }
    return this.#value;
  }
}

brand(Row, ROW);
