import type { Purge, Purged } from "@reeve/core/store";
import { type PurgeSteps, purge, type TableSpec } from "@reeve/store-sql";
import { quotedName } from "./names.js";
import { dropSearchRows } from "./search-index.js";
import type { Statements } from "./statements.js";

/** Tables without a collection: what they are deleted by, within a tenant. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  event_streams: ["stream", "seq"],
  events: ["seq"],
  counters: ["collection", "field", "value"],
  search_pending: ["collection", "n"],
  search_tenants: ["no"],
  dues: ["due_at"],
};
const KERNEL = ["counters", "search_pending", "search_tenants", "dues"];

/** Deletes rows of a tenant for good, in the open transaction of the writing connection. */
export function purgeRows(
  statements: Statements,
  specs: readonly TableSpec[],
  tenantId: string,
  what: Purge,
  size: number,
): Promise<Purged> {
  const [removed, bound] = what === "all" ? ["", []] : [" and removed_at <= ?", [what.removedThrough]];
  const searchable = new Set(specs.flatMap((spec) => (spec.searchable ? spec.name : [])));
  const steps: PurgeSteps = {
    async held(tables) {
      const some = (table: string) =>
        statements.read(`select 1 from ${quotedName(table)} where tenant_id = ?${removed} limit 1`, tenantId, ...bound)
          .length > 0;
      return new Set(tables.filter(some));
    },
    async drop(table, _what, most) {
      const key = KEYS[table];
      if (key) return deleteBy(statements, table, key, tenantId, most);
      const numbers = statements
        .read(
          `delete from ${quotedName(table)} where n in (select n from ${quotedName(table)} where tenant_id = ?${removed} limit ?) returning n`,
          tenantId,
          ...bound,
          most,
        )
        .map(([n]) => n as number);
      if (searchable.has(table)) dropSearchRows(statements, table, tenantId, numbers);
      return numbers.length;
    },
    async giveUpChain() {
      statements.of("update reeve_chain_heads set pruned = seq where tenant_id = ?").run(tenantId);
    },
    async dropHead() {
      await steps.giveUpChain();
      statements.of("delete from reeve_chain_heads where tenant_id = ?").run(tenantId);
    },
  };
  return purge(steps, specs, KERNEL, what, size);
}

function deleteBy(statements: Statements, table: string, key: readonly string[], tenantId: string, most: number) {
  const columns = ["tenant_id", ...key].join(", ");
  // The newest event goes last, because the end of the chain is asked for until then.
  const some = `select ${columns} from ${quotedName(table)} where tenant_id = ? order by ${columns} limit ?`;
  return statements.of(`delete from ${quotedName(table)} where (${columns}) in (${some})`).run(tenantId, most).changes;
}
