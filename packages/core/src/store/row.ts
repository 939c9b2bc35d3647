import { brand, brandOf, isBranded } from "../ports/brand.js";
import type { StoredRecord } from "./collection.js";

const texts = new WeakMap<object, string>();

/** The JSON text of a record, made once, for storing and serving. Do not change the record afterwards. */
export function recordText(record: object): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record);
    texts.set(record, text);
  }
  return text;
}

const ROW = brandOf("Row");

/** A stored record as its text, parsed only when its value is needed. */
export class Row<R extends StoredRecord> {
  /** Whether a value is one, even from another copy of this package. */
  static is(value: unknown): value is Row<StoredRecord> {
    return isBranded(value, ROW);
  }

  #value: R | undefined;
  #shared = false;

  constructor(
    readonly tenantId: string,
    readonly id: string,
    readonly version: number,
    readonly text: string,
    /** When the text goes out of date and the collection's `derive` applies; `null` for never. */
    readonly staleAt: string | null,
  ) {}

  /** The row of a record to be stored. */
  static of<R extends StoredRecord>(tenantId: string, record: R, staleAt: string | null): Row<R> {
    const row = new Row<R>(tenantId, record.id, record.version, recordText(record), staleAt);
    row.#value = record;
    return row;
  }

  /** A row that many readers get, so that its value is parsed once and none of them can change it. */
  static shared<R extends StoredRecord>(...fields: ConstructorParameters<typeof Row<R>>): Row<R> {
    const row = new Row<R>(...fields);
    row.#shared = true;
    return row;
  }

  get value(): R {
    if (this.#value === undefined) {
      const value = JSON.parse(this.text) as R;
      texts.set(value, this.text);
      this.#value = this.#shared ? frozen(value) : value;
    }
    return this.#value;
  }
}

brand(Row, ROW);

/** What tells a row from what it was before and will be later. */
export type RowVersion = Pick<Row<StoredRecord>, "id" | "version" | "staleAt">;

/** The version of a row without its text. */
export function versionOf({ id, version, staleAt }: RowVersion): RowVersion {
  return { id, version, staleAt };
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
