import { describe, expect, it } from "vitest";
import { faultsOf, readVolatilities } from "./cluster-rules.js";
import { connect, freshStore } from "./support.js";

/** Statements as they were before they could run on a cluster, and what is told of each. */
const UNDONE = [
  [
    "rows that are sought by a setting",
    `select x.* from (select set_config('reeve.tenant', $1, true) as tenant offset 0) s cross join lateral (select id from "reeve"."ai_assets" where "tenant_id" = s.tenant and "id" = $2 offset 0) x`,
    "rows of ai_assets are sought without the tenant as a parameter",
  ],
  [
    "a row whose tenant comes from another part",
    `with head as (select $1::text as tenant_id) insert into "reeve"."ai_assets" (tenant_id, "id") select head.tenant_id, u.* from head, (values ($2::text)) as u returning 1`,
    "the tenant of a row of ai_assets is head.tenant_id",
  ],
  [
    "a link that is made by a stable function",
    `insert into "reeve".chain_heads as h (tenant_id, seq) values ($1::text, 0) on conflict (tenant_id) do update set hash = encode(sha256(convert_to(h.hash, 'UTF8')), 'hex') returning seq`,
    "convert_to is not immutable, in a conflict clause",
  ],
  [
    "a clock that goes on within a statement",
    `update "reeve".dues set claimed_until = floor(extract(epoch from clock_timestamp()) * 1000)::bigint where tenant_id = $1 returning claim`,
    "clock_timestamp is volatile, in an update",
  ],
  [
    "an insert within a statement that returns nothing",
    `with ct as (insert into "reeve".counters as c (tenant_id, n) values ($1::text, 1) on conflict (tenant_id) do update set n = c.n + excluded.n) select 1`,
    "a change returns nothing:  as (insert into reeve.counters as c (tenant_id, n) values (",
  ],
  [
    "a deletion that finds its rows across tenants",
    `delete from "reeve".quotas where (tenant_id, key) in (select tenant_id, key from "reeve".quotas where until < $1::bigint limit 9)`,
    "rows of quotas are sought without the tenant as a parameter",
  ],
] as const;

describe("the rules for statements that a cluster runs", () => {
  it.each(UNDONE)("tell of %s", async (_, text, fault) => {
    const { url } = await freshStore();
    expect(faultsOf(text, await readVolatilities(await connect(url)))).toContain(fault);
  });
});
