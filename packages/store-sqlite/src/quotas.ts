import type { QuotaClaim, QuotaGrant } from "@reeve/core/store";
import { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "@reeve/store-sql";
import { openConnection } from "./connection.js";
import { immediately, type SqliteDriver } from "./driver/driver.js";
import { retryWhileBusy } from "./retry-while-busy.js";
import { Statements } from "./statements.js";

const CREATE = `create table if not exists reeve_quotas (
  tenant_id text not null, key text not null, until integer not null, quota integer not null, used integer not null,
  granted integer not null, primary key (tenant_id, key)
) without rowid;
create index if not exists reeve_ix_quotas_end on reeve_quotas (until)`;
const TAKE = `insert into reeve_quotas as q (tenant_id, key, until, quota, used, granted) values (?, ?, ?, ?, ?, ?)
${quotaUpdate({ least: "min", greatest: "max" })} returning key, granted, max(0, quota - used)`;
/** Of every tenant, because one that is gone takes no quotas any more. */
const SWEEP = `delete from reeve_quotas where (tenant_id, key) in
(select tenant_id, key from reeve_quotas where until < ? limit ${SWEPT})`;

/** The file of the quotas of a database. It may be deleted while no process has the database open. */
export function quotasFile(file: string): string {
  return `${file}-quotas`;
}

/**
 * Reserves quotas in a file of their own, because SQLite has one writer per file: a long transaction must not keep
 * sign-ins from being counted. Does not wait for the disk, because a power cut may undo quotas.
 */
export class SqliteQuotas {
  #statements: Statements | undefined;
  #calls = 0;

  constructor(
    private readonly driver: SqliteDriver,
    private readonly file: string,
    private readonly busyMs: number,
  ) {}

  reserve(tenantId: string, claims: readonly QuotaClaim[], now: number): QuotaGrant[] | Promise<QuotaGrant[]> {
    return retryWhileBusy(this.busyMs, () => {
      const statements = this.#open();
      return immediately(statements.db, () => this.#reserve(statements, tenantId, claims, now));
    });
  }

  /** Deletes the quotas of a tenant. */
  forget(tenantId: string): void | Promise<void> {
    return retryWhileBusy(this.busyMs, () => {
      this.#open().of("delete from reeve_quotas where tenant_id = ?").run(tenantId);
    });
  }

  close(): void {
    this.#statements?.db.close();
  }

  #open(): Statements {
    if (this.#statements) return this.#statements;
    const db = openConnection(this.driver, { file: quotasFile(this.file), synchronous: "NORMAL" });
    try {
      db.exec(CREATE);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#statements = new Statements(db);
    return this.#statements;
  }

  #reserve(statements: Statements, tenantId: string, claims: readonly QuotaClaim[], now: number): QuotaGrant[] {
    this.#calls += 1;
    if (this.#calls % SWEEP_EVERY === 0) statements.of(SWEEP).run(now);
    const rows = claims.flatMap((claim) => statements.read(TAKE, tenantId, ...quotaRow(claim)));
    return grantsOf(
      claims.map(({ key }) => key),
      rows,
    );
  }
}
