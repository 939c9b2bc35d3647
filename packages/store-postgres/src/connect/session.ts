import { StoreError } from "@reeve/core/store";
import type { Query, Rows, Values } from "@reeve/store-sql";
import type pg from "pg";
import { endsConnection, storeError } from "../statement/errors.js";
import type { Namespace } from "../statement/namespace.js";
import { statementName } from "../statement/statement-name.js";
import { SET_PLATFORM, TENANT_QUERY, tenantText } from "../statement/tenant.js";
import { type ConnectionState, connectionState } from "./connection-state.js";
import { withDeadline } from "./deadline.js";
import { type Answer, PipelinedBatch, type Step } from "./pipelined-batch.js";

export interface SessionOptions {
  readonly namespace: Namespace;
  /** Whether the connection can keep prepared statements. */
  readonly named: boolean;
  /** Whether the tables are distributed over the nodes of a cluster. */
  isDistributed(): boolean;
  /** Maximum wait for an answer of the server, in ms. */
  readonly answerTimeoutMs: number;
  /** Takes the connection back, and destroys a broken one. */
  giveBack(client: pg.PoolClient, broken: boolean): void;
}

/** A connection in use by one step or transaction. */
export class Session {
  readonly #state: ConnectionState;
  #isUseless = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly options: SessionOptions,
  ) {
    this.#state = connectionState(client);
  }

  /** Runs statements in order, in one round trip. After a failure the rest do not run. */
  async send(steps: readonly Step[], timeoutMs?: number): Promise<readonly Answer[]> {
    const batch = new PipelinedBatch(steps, this.#state.prepared);
    return this.#answersOf(this.#depart(batch), timeoutMs);
  }

  /** Runs reads in one round trip. Each may take as long as one alone. After a failure the rest do not run. */
  async read(steps: readonly Step[]): Promise<readonly Answer[]> {
    const batch = new PipelinedBatch(steps, this.#state.prepared);
    const time = { renew: (): void => undefined };
    if (steps.length > 1) batch.heard = () => time.renew();
    return this.#answersOf(this.#depart(batch), this.options.answerTimeoutMs, (renew) => {
      time.renew = renew;
    });
  }

  /**
   * Sends several batches of statements, each of which runs whatever becomes of those before it. Await all before the
   * release. A batch that failed says so once all are answered, because what is sent next must wait for that.
   */
  sendTogether(batches: readonly (readonly Step[])[]): readonly Promise<readonly Answer[]>[] {
    const { prepared } = this.#state;
    const follow = (batch: PipelinedBatch) => void this.client.query(batch);
    const sent: PipelinedBatch[] = [];
    for (const steps of [...batches].reverse()) sent.unshift(new PipelinedBatch(steps, prepared, sent[0], follow));
    if (sent[0]) this.#depart(sent[0]);
    const each = sent.map((batch) => this.#answersOf(batch));
    const all = Promise.allSettled(each);
    return each.map((answers) =>
      answers.catch(async (error: unknown) => {
        await all;
        throw error;
      }),
    );
  }

  #depart(batch: PipelinedBatch): PipelinedBatch {
    if (this.#isUseless) throw new StoreError("unavailable", "the connection has ended");
    this.client.query(batch);
    return batch;
  }

  async #answersOf(
    batch: PipelinedBatch,
    timeoutMs = this.options.answerTimeoutMs,
    renewable?: (renew: () => void) => void,
  ): Promise<readonly Answer[]> {
    try {
      return await withDeadline(this.client, timeoutMs, batch.answers, renewable);
    } catch (error) {
      this.#isUseless ||= endsConnection(error);
      // Otherwise the next borrower could get a transaction that has failed.
      if (batch.sent && !this.#isUseless) await withDeadline(this.client, timeoutMs, this.#state.settled());
      // An unsent batch had no effect, whatever happened to the connection.
      throw batch.sent ? error : storeError(error);
    }
  }

  get isDistributed(): boolean {
    return this.options.isDistributed();
  }

  /** A statement for this connection: rewritten for the store's schema, and without its name behind a pooler. */
  ready(step: Step): Step {
    const own = this.options.namespace.statement(step);
    return this.options.named ? own : { ...own, name: "" };
  }

  query(query: Query, values: Values): Step {
    if (query === TENANT_QUERY && this.isDistributed)
      return { text: tenantText(String(values.tenant)), values: [], name: "" };
    const { sql, slots, name } = query;
    return this.ready({ text: sql, values: slots.map((slot) => values[slot]), name });
  }

  async rows(query: Query, values: Values): Promise<Rows> {
    if (query.across !== undefined && this.isDistributed) {
      const read = { sql: query.across, slots: query.slots, name: statementName(query.across) };
      const [begin, open, commit] = ["begin", SET_PLATFORM, "commit"].map((text) =>
        this.ready({ text, values: [], name: statementName(text) }),
      ) as [Step, Step, Step];
      const answers = await this.send([begin, open, this.query(read, values), commit]);
      return answers[2]?.rows ?? [];
    }
    const [answer] = await this.send([this.query(query, values)]);
    return answer?.rows ?? [];
  }

  async run(text: string, values: readonly unknown[], timeoutMs?: number): Promise<Rows> {
    const [answer] = await this.send([this.ready({ text, values, name: statementName(text) })], timeoutMs);
    return answer?.rows ?? [];
  }

  /** Runs statements without parameters or schema names in one round trip. Returns the tag of the last. */
  async simple(text: string): Promise<string> {
    if (this.#isUseless) throw new StoreError("unavailable", "the connection has ended");
    const result: unknown = await withDeadline(this.client, this.options.answerTimeoutMs, this.client.query(text));
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as pg.QueryResult).command;
  }

  get inTransaction(): boolean {
    return this.#state.inTransaction;
  }

  /** Makes `release` destroy the connection. */
  giveUp(): void {
    this.#isUseless = true;
  }

  /** Returns the connection to the pool. It is destroyed if it cannot be used again or if a transaction is open. */
  release(broken = false): void {
    this.options.giveBack(this.client, broken || this.#isUseless || this.inTransaction);
  }
}
