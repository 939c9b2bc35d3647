import type { Rows } from "@reeve/store-sql";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { parameters } from "../statement/parameters.js";

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

/**
 * Prepared statements to keep on a connection. The server needs about 0.1 MB for each, and a program uses about this many
 * often.
 */
export const MOST_PREPARED = 250;

type Parser = ((text: string) => unknown) | undefined;

/** The named statements of one connection. */
export class Prepared {
  /** Parsers of the columns of prepared statements, which then need no new description. The least used is closed. */
  readonly parsers = new LRUCache<string, readonly Parser[]>({
    max: MOST_PREPARED,
    dispose: (_parsers, name, reason) => {
      if (reason === "evict") this.#superfluous.add(name);
    },
  });
  readonly #superfluous = new Set<string>();
  /** Names of statements that have not succeeded yet, so that it is not known whether they are prepared. */
  readonly doubtful = new Set<string>();

  keep(name: string, parsers: readonly Parser[]): void {
    this.parsers.set(name, parsers);
    this.doubtful.delete(name);
    this.#superfluous.delete(name);
  }

  /** Notes that nothing is under way, so that what is doubtful has failed. Its shape may never come again. */
  settle(): void {
    for (const name of this.doubtful) this.#superfluous.add(name);
    this.doubtful.clear();
  }

  /** Closes statements that are not kept any more. Costs no round trip of its own. */
  closeSuperfluous(connection: pg.Connection): void {
    for (const name of this.#superfluous) connection.close({ type: "S", name }, true);
    this.#superfluous.clear();
  }
}

/**
 * Statements that are sent together with one `Sync`, in one round trip. After the first failure none of the rest runs.
 * A query for the driver, so it waits its turn on the connection. The one `behind` another is sent together with it, and
 * is given to the driver by `follow` once the answers to the other are over.
 */
export class PipelinedBatch implements pg.Submittable {
  readonly answers: Promise<readonly Answer[]>;
  /** Whether anything was sent. If not, the batch had no effect. */
  sent = false;
  /** Called at the end of each statement. The server then sends each answer as it has it, and not all at the end. */
  heard: (() => void) | undefined;
  readonly #steps: readonly Step[];
  readonly #values: readonly (readonly (string | null)[])[];
  readonly #prepared: Prepared;
  readonly #done: Answer[] = [];
  /** The parsers of each statement that was prepared when it was sent. */
  readonly #known: (readonly Parser[] | undefined)[] = [];
  #parsers: readonly Parser[] | undefined;
  #rows: (readonly unknown[])[] = [];
  #resolve!: (answers: readonly Answer[]) => void;
  #reject!: (error: unknown) => void;

  /** Throws for values that no column can hold, before anything is sent. */
  constructor(
    steps: readonly Step[],
    prepared: Prepared,
    private readonly behind?: PipelinedBatch,
    private readonly follow: (batch: PipelinedBatch) => void = () => undefined,
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
      this.#prepared.settle();
      connection.stream.cork();
      this.#leave(connection);
      for (let batch = this.behind; batch; batch = batch.behind) batch.#leave(connection);
      connection.stream.uncork();
    }
    this.#begin();
  }

  #leave(connection: pg.Connection): void {
    this.sent = true;
    this.#prepared.closeSuperfluous(connection);
    for (const [at, step] of this.#steps.entries()) this.#send(connection, step, this.#values[at] ?? []);
    connection.sync();
  }

  #send(connection: pg.Connection, { text, name }: Step, values: readonly (string | null)[]): void {
    const parsers = name === "" ? undefined : this.#prepared.parsers.get(name);
    this.#known.push(parsers);
    if (!parsers) {
      if (this.#prepared.doubtful.has(name)) connection.close({ type: "S", name }, true);
      if (name !== "") this.#prepared.doubtful.add(name);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ portal: "", statement: name, binary: "", values: values as string[] }, true);
    if (!parsers) connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "", rows: "" }, true);
    if (this.heard) connection.flush();
  }

  /** Prepares for the answer to the next statement. */
  #begin(): void {
    this.#rows = [];
    this.#parsers = this.#known[this.#done.length];
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
    if (name !== "" && !this.#prepared.parsers.has(name)) this.#prepared.keep(name, this.#parsers ?? []);
    this.#done.push({ rows: this.#rows, tag: text });
    this.heard?.();
    this.#begin();
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#done);
    this.#goOn();
  }

  handleError(error: unknown): void {
    this.#fail(error);
    this.#goOn();
  }

  /** Lets the driver take the next answers for those to the batch behind. Its queue is deprecated. */
  #goOn(): void {
    if (this.behind) this.follow(this.behind);
  }

  #fail(error: unknown): void {
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
