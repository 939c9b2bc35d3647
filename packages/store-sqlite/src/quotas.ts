import type { QuotaClaim, QuotaGrant } from "@reeve/core/store";
import { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "@reeve/store-sql";
import { expectPragma } from "./connection.js";
import type { Statements } from "./statements.js";

const TAKE = `insert into reeve_quotas as q (tenant_id, key, until, quota, used, granted) values (?, ?, ?, ?, ?, ?)
${quotaUpdate({ least: "min", greatest: "max" })} returning key, granted, max(0, quota - used)`;
const SWEEP = `delete from reeve_quotas where (tenant_id, key) in
(select tenant_id, key from reeve_quotas where tenant_id = ? and until < ? limit ${SWEPT})`;
const NORMAL = 1;

/** Reserves quotas on the writing connection. The caller must hold its lease, with no transaction open. */
export class SqliteQuotas {
  #calls = 0;

  constructor(private readonly statements: Statements) {}

  /** Does not wait for the disk, because a power cut may undo quotas. */
  reserve(tenantId: string, claims: readonly QuotaClaim[], now: number): QuotaGrant[] {
    const { db } = this.statements;
    const usual = db.pragma("synchronous", { simple: true }) as number;
    db.pragma(`synchronous = ${NORMAL}`);
    try {
      return db.transaction(() => this.#reserve(tenantId, claims, now)).immediate();
    } finally {
      db.pragma(`synchronous = ${usual}`);
      expectPragma(db, "synchronous", usual);
    }
  }

  #reserve(tenantId: string, claims: readonly QuotaClaim[], now: number): QuotaGrant[] {
    this.#calls += 1;
    if (this.#calls % SWEEP_EVERY === 0) this.statements.of(SWEEP).run(tenantId, now);
    const rows = claims.flatMap((claim) => this.statements.read(TAKE, tenantId, ...quotaRow(claim)));
    return grantsOf(
      claims.map(({ key }) => key),
      rows,
    );
  }
}
