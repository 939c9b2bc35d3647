import {
  type FindPlan,
  type Found,
  type Listed,
  type Purge,
  type Purged,
  type StoredRecord,
  type Total,
  totalBeside,
} from "@reeve/core/store";
import {
  type Access,
  type Counting,
  counterValues,
  countQuery,
  edgedOf,
  edgedPageQuery,
  endsEarly,
  findValues,
  foundOf,
  listedOf,
  pageQuery,
  Queries,
  type Query,
  type Rows,
  rowOf,
  type Search,
  scanValues,
  type Table,
  type TableSpec,
  totalOf,
  type Values,
} from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import { storeError } from "./errors.js";
import { purgeRows } from "./purge.js";
import { searchKeys, searchPage } from "./search.js";
import type { Statements } from "./statements.js";

/** Runs a read, on the reading connection or on that of a transaction. */
export type Read = <T>(run: (statements: Statements) => T) => T | Promise<T>;

/** Compiled once for all stores of the process, because the SQL depends on collections only. */
const queries = new Queries(dialect);

/** The reads of SQLite. */
export class SqliteAccess implements Access {
  readonly queries = queries;
  readonly search: Search;
  /** Tenants of which nothing is left. */
  readonly emptied = new Set<string>();
  readonly rows: (query: Query, values: Values) => Rows | Promise<Rows>;

  /** `locked` runs work in a transaction, where reads have none of their own. */
  constructor(
    private readonly read: Read,
    readonly locked?: Access["locked"],
    private readonly specs: readonly TableSpec[] = [],
  ) {
    this.rows = (query, values) => read((statements) => statements.rows(query, values));
    this.search = {
      page: async (...asked) => read((statements) => searchPage(statements, queries, ...asked)),
      keys: async (...asked) => read((statements) => searchKeys(statements, queries, ...asked)),
    };
  }

  async purge(tenantId: string, what: Purge, size: number): Promise<Purged> {
    try {
      const purged = await this.read((statements) => purgeRows(statements, this.specs, tenantId, what, size));
      if (what === "all" && purged.done) this.emptied.add(tenantId);
      return purged;
    } catch (error) {
      throw storeError(error);
    }
  }

  async find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>> {
    const values = findValues(dialect, tenantId, plan);
    const make = (cells: readonly unknown[]) => rowOf(table, tenantId, cells);
    const rows = await this.rows(pageQuery(queries, table, plan), values);
    if (!endsEarly(plan, rows.length)) return foundOf(rows, plan.size, make);
    return edgedOf(await this.rows(edgedPageQuery(queries, table, plan), values), plan.size, make);
  }

  async list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed> {
    // Without any, a page would look at many rows in vain.
    const counted = plan.total.from === "rows" ? undefined : await this.count(tenantId, table, plan);
    if (counted?.exact && counted.count === 0) return listedOf([], counted, undefined);
    const { rows, next } = await this.find(tenantId, table, plan);
    const total = totalBeside(counted ?? (await this.count(tenantId, table, plan)), plan, rows.length);
    return listedOf(rows, total, next);
  }

  async count<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: Counting): Promise<Total> {
    const { total, looks } = plan;
    const [row] =
      total.from === "rows"
        ? await this.rows(countQuery(queries, table, total), {
            ...scanValues(dialect, tenantId, total.scan),
            bound: looks,
            beyond: looks + 1,
          })
        : await this.rows(queries.counter(total), counterValues(dialect, tenantId, table, total));
    return totalOf(plan, row ?? []);
  }
}
