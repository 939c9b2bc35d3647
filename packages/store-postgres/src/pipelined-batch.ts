import type { Rows } from "@reeve/store-sql";
import pg from "pg";
import { parameters } from "./parameters.js";

/**
 * A statement to run. `failure` may translate its error, or that of the commit which follows once the statement was
 * `answered`.
 */
export interface Step {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Identifies this text on every connection. If empty, the statement is prepared each time. */
  readonly name: string;
  readonly failure?: (error: unknown, answered: boolean) => unknown;
}

/** The answer to a statement: its rows, and its tag (`SELECT 1`, `COMMIT`). */
export interface Answer {
  readonly rows: Rows;
  readonly tag: string;
}

type Parser = ((text: string) => unknown) | undefined;

/** The named statements of one connection. */
export class Prepared {
  /** Parsers of the columns of prepared statements, which then need no new description. */
  readonly parsers = new Map<string, readonly Parser[]>();
  /** Names of statements that failed before it was known whether they were prepared. */
  readonly doubtful = new Set<string>();
}

/**
 * Statements that are sent together with one `Sync`, in one round trip. After the first failure none of the rest runs.
 * A query for the driver, so it waits its turn on the connection. One that goes `behind` another is sent together with
 * it.
 */
export class PipelinedBatch implements pg.Submittable {
  readonly answers: Promise<readonly Answer[]>;
  /** Whether anything was sent. If not, the batch had no effect. */
  sent = false;
  readonly #steps: readonly Step[];
  readonly #values: readonly (readonly (string | null)[])[];
  readonly #prepared: Prepared;
  readonly #done: Answer[] = [];
  #parsers: readonly Parser[] | undefined;
  #rows: (readonly unknown[])[] = [];
  #resolve!: (answers: readonly Answer[]) => void;
  #reject!: (error: unknown) => void;

  /** Throws for values that no column can hold, before anything is sent. */
  constructor(
    steps: readonly Step[],
    prepared: Prepared,
    private readonly behind?: PipelinedBatch,
  ) {
    this.#steps = steps;
    this.#values = steps.map((step) => parameters(step.values));
    this.#prepared = prepared;
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    if (!this.sent) {
      connection.stream.cork();
      this.#leave(connection);
      if (this.behind) this.behind.#leave(connection);
      connection.stream.uncork();
    }
    this.#begin();
  }

  #leave(connection: pg.Connection): void {
    this.sent = true;
    for (const [at, step] of this.#steps.entries()) this.#send(connection, step, this.#values[at] ?? []);
    connection.sync();
  }

  #send(connection: pg.Connection, { text, name }: Step, values: readonly (string | null)[]): void {
    const known = name !== "" && this.#prepared.parsers.has(name);
    if (!known) {
      if (this.#prepared.doubtful.has(name)) connection.close({ type: "S", name }, true);
      if (name !== "") this.#prepared.doubtful.add(name);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ portal: "", statement: name, binary: "", values: values as string[] }, true);
    if (!known) connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "", rows: "" }, true);
  }

  /** Prepares for the answer to the next statement. */
  #begin(): void {
    this.#rows = [];
    this.#parsers = this.#prepared.parsers.get(this.#steps[this.#done.length]?.name ?? "");
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#parsers = fields.map((field) => parserOf(field.dataTypeID));
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    const row: unknown[] = fields;
    const parsers = this.#parsers ?? [];
    for (let at = 0; at < parsers.length; at++) {
      const [parser, value] = [parsers[at], fields[at]];
      if (parser && typeof value === "string") row[at] = parser(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { name } = this.#steps[this.#done.length] as Step;
    if (name !== "" && !this.#prepared.parsers.has(name)) {
      this.#prepared.parsers.set(name, this.#parsers ?? []);
      this.#prepared.doubtful.delete(name);
    }
    this.#done.push({ rows: this.#rows, tag: text });
    this.#begin();
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#done);
  }

  handleError(error: unknown): void {
    const answered = this.#done.length === this.#steps.length;
    // The tag proves the commit, whatever becomes of the connection afterwards.
    if (answered && this.#done.at(-1)?.tag === "COMMIT") {
      this.#resolve(this.#done);
      return;
    }
    const failed = answered ? this.#steps.at(-1) : this.#steps[this.#done.length];
    this.#reject(failed?.failure ? failed.failure(error, answered) : error);
  }
}

const { INT8, TEXT } = pg.types.builtins;

/** Integers become numbers, because all stored ones are safe integers. Text stays as it is. */
function parserOf(type: number): Parser {
  if (type === TEXT) return undefined;
  return type === INT8 ? Number : pg.types.getTypeParser(type, "text");
}
