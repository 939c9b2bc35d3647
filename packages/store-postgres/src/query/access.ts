import {
  type FindPlan,
  type Found,
  type Listed,
  type Position,
  type Purge,
  type Purged,
  type StoredRecord,
  type Total,
  totalBeside,
} from "@reeve/core/store";
import {
  type Access,
  type Counting,
  counterKey,
  counterValues,
  countPart,
  countQuery,
  edgedOf,
  edgedPageQuery,
  endsEarly,
  findValues,
  foundOf,
  join,
  keptOf,
  listedOf,
  type Part,
  pageKey,
  pagePart,
  pageQuery,
  Queries,
  rowOf,
  type Search,
  scanKey,
  scanValues,
  type Table,
  type TableShape,
  type TableSpec,
  totalOf,
  type Values,
} from "@reeve/store-sql";
import { dialect } from "../statement/dialect.js";
import type { Read } from "../statement/read.js";
import { purgeRows } from "./purge.js";
import { searchKeys, searchPage } from "./search.js";

/** Compiled once for all stores of the process, because the SQL depends on collections only. */
const queries = new Queries(dialect);

/** The reads of PostgreSQL. */
export class PostgresAccess implements Access {
  readonly queries = queries;
  readonly search: Search;

  constructor(
    readonly rows: Read,
    hasSearchIndex: () => Promise<boolean>,
    readonly locked?: Access["locked"],
    private readonly specs: readonly TableSpec[] = [],
  ) {
    this.search = {
      page: async (...asked) => ((await hasSearchIndex()) ? searchPage(rows, queries, ...asked) : undefined),
      keys: async (...asked) => ((await hasSearchIndex()) ? searchKeys(rows, queries, ...asked) : undefined),
    };
  }

  purge(tenantId: string, what: Purge, size: number): Promise<Purged> {
    return purgeRows(this.rows, this.specs, tenantId, what, size);
  }

  async find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>> {
    const values = findValues(dialect, tenantId, plan);
    const rows = await this.rows(pageQuery(queries, table, plan), values);
    if (endsEarly(plan, rows.length)) return this.#edged(tenantId, table, plan, values);
    return foundOf(rows, plan.size, (cells) => rowOf(table, tenantId, cells));
  }

  /** The page as JSON text, its total and the next position, all made by the database in one round trip. */
  async list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed> {
    if (table.spec.shape !== undefined) return this.#upcastList(tenantId, table, plan);
    const { total: counted } = plan;
    const scan = counted.from === "rows" ? scanKey(table, counted.scan) : counterKey(counted);
    const query = queries.shape(`list/${pageKey(table, plan)}/${scan}`, () =>
      dialect.tenantRead(listPart(table, plan), keptOf(plan)),
    );
    const values = findValues(dialect, tenantId, plan);
    const [row] = await this.rows(query, { ...values, ...countValuesApart(tenantId, table, plan) });
    const [items, fetched, staleAt, by, id, n, looked] = row as readonly [
      string,
      number,
      string | null,
      Position["by"],
      string | null,
      number | null,
      number | null,
    ];
    const count = Math.min(fetched, plan.size);
    const total = totalOf(plan, [n, looked]);
    if (endsEarly(plan, fetched)) {
      const { rows, next } = await this.#edged(tenantId, table, plan, values);
      return listedOf(rows, totalBeside(total, plan, rows.length), next);
    }
    const listed = { items, count, staleAt, total: totalBeside(total, plan, count) };
    return id !== null && fetched > count ? { ...listed, next: { by, id } } : listed;
  }

  /** The same page of rows that may have to be brought to the present shape, which the database cannot. */
  async #upcastList<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed> {
    const [{ rows, next }, total] = await Promise.all([
      this.find(tenantId, table, plan),
      this.count(tenantId, table, plan),
    ]);
    return listedOf(rows, totalBeside(total, plan, rows.length), next);
  }

  async count<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: Counting): Promise<Total> {
    const { total } = plan;
    const query = total.from === "rows" ? countQuery(queries, table, total) : queries.counter(total);
    const [row] = await this.rows(query, { tenant: tenantId, ...countValues(tenantId, table, plan) });
    return totalOf(plan, row ?? []);
  }

  /** A page that may have ended at its bound. */
  async #edged<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    plan: FindPlan,
    values: Values,
  ): Promise<Found<R>> {
    const rows = await this.rows(edgedPageQuery(queries, table, plan), values);
    return edgedOf(rows, plan.size, (cells) => rowOf(table, tenantId, cells));
  }
}

/** The slots of a count. */
function countValues(tenantId: string, table: TableShape, { total, looks }: Counting): Record<string, unknown> {
  if (total.from !== "rows") return counterValues(dialect, tenantId, table, total);
  return { ...scanValues(dialect, tenantId, total.scan), bound: looks, beyond: looks + 1 };
}

/** The same for a count beside a page. It may use another index, so its slots have their own names. */
function countValuesApart(tenantId: string, table: TableShape, plan: Counting): Record<string, unknown> {
  const values = countValues(tenantId, table, plan);
  if (plan.total.from !== "rows") return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`count_${name}`, value]));
}

/** Numbers the rows in the order of the page. The aggregates keep that order, so there is no second sort. */
function listPart(table: TableShape, plan: FindPlan): Part {
  const size: Part = { sql: "?", slots: ["size"] };
  const upTo = (aggregate: string, sign: string) => [aggregate, ` filter (where p.place ${sign} `, size, "::integer)"];
  const { total } = plan;
  const counted =
    total.from === "rows"
      ? apart(countPart(dialect, table, total.scan))
      : total.from === "combinations"
        ? queries.counterPart(total)
        : join("select n, 0 as looked from (", queries.counterPart(total), ") n");
  return join(
    "select '[' || coalesce(",
    ...upTo("string_agg(p.body, ',')", "<="),
    ", '') || ']' as items, count(p.place) as fetched, ",
    ...upTo("min(p.stale_at)", "<="),
    " as stale_at, ",
    ...upTo("max(p.position)", "="),
    " as by, ",
    ...upTo("max(p.id)", "="),
    " as id, max(t.n) as n, max(t.looked) as looked from (",
    counted,
    ") t left join (select row_number() over () as place, f.* from (",
    pagePart(dialect, table, plan),
    ") f) p on true",
  );
}

function apart({ sql, slots }: Part): Part {
  return { sql, slots: slots.map((slot) => `count_${slot}`) };
}
