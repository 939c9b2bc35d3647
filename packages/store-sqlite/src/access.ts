import {
  type FindPlan,
  type Found,
  type Listed,
  type Position,
  SEARCH_COUNT_LIMIT,
  type StoredRecord,
  type Total,
} from "@reeve/core/store";
import {
  type Access,
  boundedTotal,
  type Counting,
  counterValues,
  findValues,
  foundOf,
  Queries,
  type Query,
  type Rows,
  rowOf,
  type Table,
  type Values,
} from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import { countMatches, type Searching, searchPage } from "./search.js";
import type { Statements } from "./statements.js";

/** Runs a read on the reading connection, or on a transaction's. */
export type Read = <T>(run: (statements: Statements) => T) => T | Promise<T>;

/** Compiled once for all stores of the process: SQLite's texts depend on nothing but collections. */
const queries = new Queries(dialect);

/** How SQLite reads. */
export class SqliteAccess implements Access {
  readonly queries = queries;

  constructor(private readonly read: Read) {}

  rows(query: Query, values: Values): Rows | Promise<Rows> {
    return this.read((statements) => statements.rows(query, values));
  }

  async find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>> {
    const { rows } = await this.#page(tenantId, table, plan);
    return foundOf<R>(rows, plan.size, (cells) => rowOf(tenantId, cells));
  }

  async list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed> {
    const { rows, matches } = await this.#page(tenantId, table, plan);
    const total =
      matches === undefined ? await this.count(tenantId, table, plan) : boundedTotal(matches, SEARCH_COUNT_LIMIT);
    const count = Math.min(rows.length, plan.size);
    let items = "";
    let staleAt: string | null = null;
    for (let at = 0; at < count; at++) {
      const [, , body, stale] = rows[at] as readonly [string, number, string, string | null];
      items += at === 0 ? body : `,${body}`;
      if (stale !== null && (staleAt === null || stale < staleAt)) staleAt = stale;
    }
    const listed = { items: `[${items}]`, count, staleAt, total };
    const last = rows[count - 1];
    return last && rows.length > count
      ? { ...listed, next: { by: last[4] as Position["by"], id: last[0] as string } }
      : listed;
  }

  async count<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    plan: Counting & Pick<FindPlan, "search" | "total">,
  ): Promise<Total> {
    if (plan.total.from !== "rows") {
      const [row] = await this.rows(queries.counter(), counterValues(tenantId, table, plan.total));
      return { count: (row?.[0] as number | undefined) ?? 0, exact: true };
    }
    if (hasTerm(plan)) {
      return boundedTotal(
        await this.read((on) => countMatches(on, queries, tenantId, table, plan)),
        SEARCH_COUNT_LIMIT,
      );
    }
    const [row] = await this.rows(queries.count(table, plan), findValues(dialect, tenantId, plan));
    return boundedTotal(row?.[0] as number);
  }

  async #page<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    plan: FindPlan,
  ): Promise<{ readonly rows: Rows; readonly matches?: number }> {
    if (hasTerm(plan)) return this.read((on) => searchPage(on, queries, tenantId, table, plan));
    return { rows: await this.rows(queries.find(table, plan), findValues(dialect, tenantId, plan)) };
  }
}

function hasTerm<P extends Searching>(plan: P): plan is P & { readonly search: string } {
  return plan.search !== undefined;
}
