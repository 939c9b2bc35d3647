import type { KeySource, StoredRecord } from "@reeve/core/store";
import type { Table } from "../schema/table.js";
import type { Access } from "./access.js";
import { keysOf } from "./keys.js";
import { keysQuery } from "./page-queries.js";
import { counterValues, keyValues } from "./values.js";

/** The key source of a table, for gathering its rows. */
export function keySource<R extends StoredRecord>(access: Access, tenantId: string, table: Table<R>): KeySource {
  const { queries } = access;
  return {
    async keys(query) {
      if (query.from === "search") return access.search.keys(tenantId, table, query);
      const rows = await access.rows(keysQuery(queries, table, query), keyValues(queries.dialect, tenantId, query));
      return keysOf(table, query.fields, rows);
    },
    async counted(plan) {
      const [row] = await access.rows(queries.counter(plan), counterValues(queries.dialect, tenantId, table, plan));
      return (row?.[0] as number | undefined) ?? 0;
    },
  };
}
