import type { CountingPlan, FindPlan, Found, Listed, Purge, Purged, StoredRecord, Total } from "@reeve/core/store";
import type { Query, Rows, Values } from "../schema/dialect.js";
import type { Table } from "../schema/table.js";
import type { Queries } from "./queries.js";
import type { Search } from "./search.js";

type Maybe<T> = T | Promise<T>;

/** How a store reads, inside or outside a transaction. `SqlReader` builds on it. */
export interface Access {
  readonly queries: Queries;
  readonly search: Search;
  readonly rows: (query: Query, values: Values) => Maybe<Rows>;
  /** Runs work in a transaction that has the tenant's lock. Absent where reads have none. */
  readonly locked?: <T>(work: (access: Access) => Promise<T>) => Promise<T>;
  /** Deletes rows of a tenant for good. Absent outside of transactions. */
  readonly purge?: (tenantId: string, what: Purge, size: number) => Promise<Purged>;
  /** A page in the order of the plan's index. */
  find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>>;
  /** The same page as JSON text, with its total. */
  list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed>;
  /** The total of a plan whose rows are not gathered. */
  count<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: Counting): Promise<Total>;
}

/** The part of a plan that a count uses. */
export type Counting = Pick<CountingPlan, "total" | "looks">;
