import type { QuotaClaim, QuotaGrant } from "@reeve/core";
import { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "@reeve/store-sql";
import type { Statements } from "./statements.js";

const TAKE = `insert into quotas as q (tenant_id, key, until, quota, used, granted) values (?, ?, ?, ?, ?, ?)
${quotaUpdate({ least: "min", greatest: "max" })} returning key, granted, max(0, quota - used)`;
const SWEEP = `delete from quotas where (tenant_id, key) in
(select tenant_id, key from quotas where tenant_id = ? and until < ? limit ${SWEPT})`;

/** Takes from quotas on the writing connection, which has a transaction open. */
export class SqliteQuotas {
  #calls = 0;

  take(statements: Statements, tenantId: string, claims: readonly QuotaClaim[], now: number): QuotaGrant[] {
    this.#calls += 1;
    if (this.#calls % SWEEP_EVERY === 0) statements.of(SWEEP).run(tenantId, now);
    const rows = claims.flatMap((claim) => statements.read(TAKE, tenantId, ...quotaRow(claim)));
    return grantsOf(
      claims.map(({ key }) => key),
      rows,
    );
  }
}
