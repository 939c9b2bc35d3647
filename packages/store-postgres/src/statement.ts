/** One statement with its parameters. */
export interface BatchStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A statement of many parts in the making. */
export class Statement {
  readonly #parts: string[] = [];
  readonly #checks: string[] = [];
  readonly #values: unknown[] = [];

  value(value: unknown, type: string): string {
    this.#values.push(value);
    return `$${this.#values.length}::${type}`;
  }

  /** Rows to select from: one as plain parameters, which is quickest; many as arrays, so that their number is not in the text. */
  rows(rows: readonly (readonly unknown[])[], types: readonly string[]): string {
    const [first] = rows;
    if (first && rows.length === 1) {
      return `(values (${types.map((type, at) => this.value(first[at], type)).join(", ")}))`;
    }
    const lists = types.map((type, at) =>
      this.value(
        rows.map((row) => row[at]),
        `${type}[]`,
      ),
    );
    return `unnest(${lists.join(", ")})`;
  }

  with(part: string): void {
    this.#parts.push(part);
  }

  /** Insists on a number of rows. */
  expect(table: string, written: string, rows: number): void {
    this.#checks.push(`reeve_expect('${table}', ${written}, ${this.value(rows, "bigint")})`);
  }

  finish(): BatchStatement {
    return { text: `with ${this.#parts.join(",\n")}\nselect ${this.#checks.join(", ") || "1"}`, values: this.#values };
  }
}
