import { GENESIS_HASH, StoreError } from "@reeve/core";
import {
  duplicateError,
  type Query,
  type Rows,
  staleError,
  type Unit,
  type Values,
  type Write,
} from "@reeve/store-sql";
import pg from "pg";
import { PostgresAccess } from "./access.js";
import { batches } from "./batch.js";
import { batchStatement, erases } from "./batch-statement.js";
import { isConnectionLost, stateOf, storeError } from "./errors.js";
import type { Session } from "./pool.js";
import { takenKey } from "./taken-key.js";

/** How long a transaction waits for the lock of a second tenant, in ms. */
const SECOND_LOCK_MS = 250;

/** Where a transaction gets its connection, and what it knows of the database. */
export interface Ground {
  take(): Promise<Session>;
  hasSearchIndex(): Promise<boolean>;
}

/**
 * One transaction. Writes are held back until something is read: work that only writes ends as one statement, which is a
 * transaction of its own in one round trip.
 */
export class PostgresUnit implements Unit {
  readonly access: PostgresAccess;
  readonly #held: Write[] = [];
  readonly #locked = new Set<string>();
  #begun = false;
  #session: Session | undefined;
  #ended = false;
  #failure: { readonly cause: unknown } | undefined;

  /** `tenants` keeps what this transaction locked over retries, so that the next try can lock all in one order. */
  constructor(
    private readonly ground: Ground,
    private readonly tenants: Set<string> = new Set(),
  ) {
    this.access = new PostgresAccess(
      (query, values) => this.#inTurn(() => this.#read(query, values)),
      () => ground.hasSearchIndex(),
    );
  }

  /** Steps of one transaction run one after the other, whatever the work does at the same time. */
  #turn: Promise<unknown> = Promise.resolve();
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async write(make: () => Write): Promise<void> {
    this.#assertSound();
    try {
      this.#held.push(make());
    } catch (error) {
      throw this.#fail(error);
    }
  }

  commit(): Promise<void> {
    return this.#inTurn(() => this.#commit());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#turn;
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    try {
      // After an error the driver still holds the state of before, so what counts is whether we began.
      if (this.#begun) await session.simple("rollback");
      session.release();
    } catch {
      session.release(true);
    }
  }

  async #commit(): Promise<void> {
    this.#assertSound();
    const writes = this.#held.splice(0);
    const groups = batches(writes);
    if (!this.#session) {
      const [only] = groups;
      if (!only) return;
      const session = await this.ground.take();
      this.#session = session;
      if (groups.length === 1 && !only.some(erases)) {
        await this.#lastWord(() => this.#runBatch(session, only));
        return;
      }
      await this.#begin(session, (only[0] as Write).tenantId);
    }
    const session = this.#session;
    for (const batch of groups) await this.#runBatch(session, batch);
    const tag = await this.#lastWord(() => session.simple("commit"));
    this.#begun = false;
    if (tag !== "COMMIT") throw new StoreError("aborted", "the database rolled the transaction back");
  }

  async #read(query: Query, values: Values): Promise<Rows> {
    this.#assertSound();
    try {
      const session = await this.#open(String(values.tenant));
      for (const batch of batches(this.#held.splice(0))) await this.#runBatch(session, batch);
      return await session.rows(query, values);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** The connection, with the transaction begun and the tenant's lock held. */
  async #open(tenantId: string): Promise<Session> {
    const session = this.#session ?? (await this.ground.take());
    this.#session = session;
    if (!this.#locked.has(tenantId)) await this.#begin(session, tenantId);
    return session;
  }

  /**
   * Begins the transaction when it has not begun, and takes the tenant's lock, in one round trip. A second tenant's lock may be
   * held by one who waits for the first: that is not waited for long, and the next try takes both in order.
   */
  async #begin(session: Session, tenantId: string): Promise<void> {
    this.tenants.add(tenantId);
    const tenants = this.#begun ? [tenantId] : [...this.tenants].sort();
    const impatient = this.#begun && this.#locked.size > 0;
    const steps = [
      ...(this.#begun ? [] : ["begin"]),
      ...(impatient ? [`set local lock_timeout = '${SECOND_LOCK_MS}ms'`] : []),
      ...tenants.flatMap(lockSteps),
      ...(impatient ? ["set local lock_timeout to default"] : []),
    ];
    this.#begun = true;
    try {
      await session.simple(steps.join(";\n"));
    } catch (error) {
      if (!impatient || stateOf(error) !== "55P03") throw error;
      throw new StoreError("conflict", "two transactions want the same two tenants", { cause: error });
    }
    for (const tenant of tenants) this.#locked.add(tenant);
  }

  async #runBatch(session: Session, batch: readonly Write[]): Promise<void> {
    const { tenantId } = batch[0] as Write;
    this.tenants.add(tenantId);
    if (batch.some(erases)) await session.simple(setTenant(tenantId));
    const { text, values } = batchStatement(tenantId, batch, this.#locked.has(tenantId));
    try {
      await session.run(text, values);
    } catch (error) {
      throw this.#fail(refusal(error, batch));
    }
    if (this.#begun) this.#locked.add(tenantId);
  }

  /** Runs what ends the transaction: when the connection breaks meanwhile, nobody can tell whether it was done. */
  async #lastWord<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const cause = error instanceof StoreError ? error.detail.cause : error;
      if (!isConnectionLost(cause)) throw this.#fail(error);
      throw new StoreError("outcome_unknown", "the connection broke before the database confirmed the commit", {
        cause,
      });
    }
  }

  #fail(error: unknown): unknown {
    const failure = storeError(error);
    this.#failure ??= { cause: failure };
    return failure;
  }

  #assertSound(): void {
    if (this.#ended) throw new StoreError("aborted", "the transaction has ended");
    if (!this.#failure) return;
    const { cause } = this.#failure;
    // A retry is asked for whatever the work did with the first failure.
    if (cause instanceof StoreError && cause.code === "conflict") throw cause;
    throw new StoreError("aborted", "a step failed, so nothing is stored", { cause });
  }
}

function setTenant(tenantId: string): string {
  return `select set_config('reeve.tenant', ${pg.escapeLiteral(tenantId)}, true)`;
}

function lockSteps(tenantId: string): string[] {
  const tenant = pg.escapeLiteral(tenantId);
  return [
    setTenant(tenantId),
    `insert into chain_heads (tenant_id, seq, hash, prev_hash) values (${tenant}, 0, '${GENESIS_HASH}', '${GENESIS_HASH}') on conflict do nothing`,
    `select from chain_heads where tenant_id = ${tenant} for update`,
  ];
}

/** What the database refused in a batch, in the store's words. */
function refusal(error: unknown, batch: readonly Write[]): unknown {
  const state = stateOf(error);
  if (state === "RV001" && error instanceof Error) return staleError(error.message);
  if (state !== "23505") return error;
  const { table, key } = takenKey(error as pg.DatabaseError, batch);
  return duplicateError(table, key, error);
}
