import type { QuotaClaim, QuotaGrant } from "@reeve/core/store";
import { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "@reeve/store-sql";
import type { Pool } from "../connect/pool.js";
import { runAlone, stepOf } from "../connect/steps.js";
import { statementName } from "../statement/statement-name.js";

const NUMBERS = "$3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]";
const TAKE = `insert into "reeve".quotas as q (tenant_id, key, until, quota, used, granted)
select $1::text, u.* from unnest($2::text[], ${NUMBERS}) as u
${quotaUpdate({ least: "least", greatest: "greatest" })}
returning key, granted, greatest(0, quota - used)`;
const TAKE_NAME = statementName(TAKE);

/** Skips locked rows, so that two calls cannot deadlock. */
const sweepStep = stepOf(`delete from "reeve".quotas where tenant_id = $1::text and key in
(select key from "reeve".quotas where tenant_id = $1::text and until < $2::bigint limit ${SWEPT} for update skip locked)`);

/** Reserves quotas in one statement, which locks rows in the order of their keys. */
export class PostgresQuotas {
  #calls = 0;

  constructor(private readonly pool: Pool) {}

  async reserve(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<QuotaGrant[]> {
    const sorted = claims.map(quotaRow).sort(([left], [right]) => (left < right ? -1 : 1));
    const columns = [0, 1, 2, 3, 4].map((at) => sorted.map((row) => row[at]));
    this.#calls += 1;
    const sweeps = this.#calls % SWEEP_EVERY === 0;
    const rows = await this.pool.with(async (session) => {
      if (sweeps) await runAlone(session, tenantId, sweepStep(session, tenantId, String(now)));
      const take = session.ready({ text: TAKE, values: [tenantId, ...columns], name: TAKE_NAME });
      return (await runAlone(session, tenantId, take))?.rows ?? [];
    });
    return grantsOf(
      claims.map(({ key }) => key),
      rows,
    );
  }
}
