import type { FindPlan, Found, Listed, StoredRecord, Total } from "@reeve/core/store";
import type { Query, Rows, Values } from "./dialect.js";
import type { Counting, Queries } from "./queries.js";
import type { Table } from "./table.js";

type Maybe<T> = T | Promise<T>;

/** How one store reads, inside a transaction or outside: what the shared reader is made of. */
export interface Access {
  readonly queries: Queries;
  rows(query: Query, values: Values): Maybe<Rows>;
  find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>>;
  list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed>;
  count<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    plan: Counting & Pick<FindPlan, "search" | "total">,
  ): Promise<Total>;
}
