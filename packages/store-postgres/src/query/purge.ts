import type { Purge, Purged } from "@reeve/core/store";
import { type PurgeSteps, purge, type Rows, type TableSpec } from "@reeve/store-sql";
import { dialect } from "../statement/dialect.js";
import { qualified } from "../statement/namespace.js";
import { numbered } from "../statement/numbered.js";
import type { Read } from "../statement/read.js";
import { TENANT_QUERY } from "../statement/tenant.js";

const KERNEL = ["counters", "quotas", "dues"];

/** Statements of a deletion are many and rare, so none is kept prepared. */
const once = (sql: string, ...slots: readonly string[]) => ({ sql: numbered(sql), slots, name: "" });

const GIVE_UP = once('update "reeve".chain_heads set pruned = seq where tenant_id = ?::text', "tenant");
const DROP_HEAD = once('delete from "reeve".chain_heads where tenant_id = ?::text', "tenant");

/** Deletes rows of a tenant for good. `read` runs statements in the transaction that has the tenant's lock. */
export function purgeRows(
  read: Read,
  specs: readonly TableSpec[],
  tenantId: string,
  what: Purge,
  size: number,
): Promise<Purged> {
  const removed = what === "all" ? undefined : what.removedThrough;
  const tenant = { tenant: tenantId, removed };
  const [isRemoved, slots] = removed === undefined ? ["", []] : [" and removed_at <= ?", ["removed"]];
  // Both are sent together, so that row-level security sees the tenant.
  const inTenant = async (query: ReturnType<typeof once>, values: object = {}): Promise<Rows> => {
    const [, rows] = await Promise.all([read(TENANT_QUERY, tenant), read(query, { ...tenant, ...values })]);
    return rows;
  };
  const steps: PurgeSteps = {
    async held(tables) {
      const some = tables.map(
        (table) =>
          `select '${table}' as name where exists (select from ${qualified(table)} where tenant_id = ?${isRemoved})`,
      );
      const query = dialect.tenantRead(
        { sql: some.join(" union all "), slots: tables.flatMap(() => ["tenant", ...slots]) },
        "once",
      );
      return new Set((await read(query, tenant)).map(([name]) => name as string));
    },
    async drop(table, _what, most) {
      const name = qualified(table);
      // The newest event goes last, because the end of the chain is asked for until then.
      const order = table === "events" ? " order by seq" : "";
      const some = `select ctid from ${name} where tenant_id = ?::text${isRemoved}${order} limit ?::integer`;
      const query = once(
        `delete from ${name} where tenant_id = ?::text and ctid = any(array(${some})) returning 1`,
        ...["tenant", "tenant", ...slots, "most"],
      );
      return (await inTenant(query, { most })).length;
    },
    async giveUpChain() {
      await inTenant(GIVE_UP);
    },
    async dropHead() {
      await Promise.all([inTenant(GIVE_UP), inTenant(DROP_HEAD)]);
    },
  };
  return purge(steps, specs, KERNEL, what, size);
}
