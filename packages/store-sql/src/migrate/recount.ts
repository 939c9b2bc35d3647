import { countedText } from "../schema/counted-text.js";
import { snake } from "../schema/names.js";
import type { Backfill, BackfillDatabase, Run } from "./backfill-database.js";

/**
 * Makes the counters of all counted fields anew, tenant by tenant, because older code wrote rows without counting them.
 * `renew` keeps the lease in the same transaction.
 */
export async function recount(
  db: BackfillDatabase,
  { target, reshape }: Pick<Backfill, "target" | "reshape">,
  renew: (run: Run) => Promise<void>,
): Promise<void> {
  const { collection, fields } = target;
  const counted = collection.counted.filter((field) => fields.includes(snake(field)));
  const [rows, counters] = [db.table(reshape.table), db.table("counters")];
  // A tenant whose rows are all gone may have counters still.
  const next = `select min(tenant_id) from (select min(tenant_id) as tenant_id from ${rows} where tenant_id > ?
  union all select min(tenant_id) from ${counters} where tenant_id > ? and collection = ?) as t`;
  for (let tenantId = ""; counted.length > 0; ) {
    const [found] = await db.transaction((run) => run(next, [tenantId, tenantId, reshape.table]));
    if (typeof found?.[0] !== "string") return;
    tenantId = found[0];
    await db.transaction(async (run) => {
      await renew(run);
      await db.lock(run, tenantId);
      for (const field of counted) {
        const column = snake(field);
        const key = [tenantId, reshape.table, field];
        await run(`delete from ${counters} where tenant_id = ? and collection = ? and field = ? returning n`, key);
        await run(
          `insert into ${counters} (tenant_id, collection, field, value, n)
  select tenant_id, cast(? as text), cast(? as text), ${countedText(column, collection.fields[field]?.type)}, count(*)
  from ${rows} where tenant_id = ? and removed_at is null and "${column}" is not null group by tenant_id, "${column}" returning n`,
          [reshape.table, field, tenantId],
        );
      }
    });
  }
}
