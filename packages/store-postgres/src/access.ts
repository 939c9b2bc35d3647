import {
  countLimit,
  type FindPlan,
  type Found,
  type Listed,
  type Position,
  type StoredRecord,
  type Total,
} from "@reeve/core/store";
import {
  type Access,
  boundedTotal,
  type Counting,
  counterValues,
  filterKey,
  findKey,
  findValues,
  foundOf,
  join,
  type Part,
  Queries,
  type Query,
  type Rows,
  rowOf,
  type Table,
  type TableShape,
  type Values,
} from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import {
  type Searching,
  searchCountPart,
  searchListParts,
  searchPagePart,
  searchValues,
  type Way,
  wayOf,
} from "./search.js";

/** Compiled once for all stores of the process: the texts depend on nothing but collections. */
const queries = new Queries(dialect);

/** Runs a read on a connection of its own, or on a transaction's. */
export type Read = (query: Query, values: Values) => Promise<Rows>;

/** How PostgreSQL reads. */
export class PostgresAccess implements Access {
  readonly queries = queries;

  constructor(
    readonly rows: Read,
    private readonly hasSearchIndex: () => Promise<boolean>,
  ) {}

  async find<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Found<R>> {
    const way = await this.#way(plan);
    const query = way
      ? queries.shape(`search/${way}/${findKey(table, plan)}`, () =>
          dialect.tenantRead(searchPagePart(queries, table, plan, way)),
        )
      : queries.find(table, plan);
    const rows = await this.rows(query, valuesOf(tenantId, plan));
    return foundOf<R>(rows, plan.size, (cells) => rowOf(tenantId, cells));
  }

  /** The page, its total and where the next one starts, as text made by the database, in one round trip. */
  async list<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<Listed> {
    const way = await this.#way(plan);
    const query = queries.shape(`list/${way}/${plan.total.from}/${findKey(table, plan)}`, () =>
      dialect.tenantRead(listPart(table, plan, way)),
    );
    const [row] = await this.rows(query, {
      ...valuesOf(tenantId, plan),
      ...counterValues(tenantId, table, plan.total),
    });
    const [items, fetched, staleAt, by, id, n] = row as readonly [
      string,
      number,
      string | null,
      Position["by"],
      string | null,
      number | null,
    ];
    const count = Math.min(fetched, plan.size);
    const total = plan.total.from === "rows" ? boundedTotal(n ?? 0, countLimit(plan)) : { count: n ?? 0, exact: true };
    const listed = { items, count, staleAt, total };
    return id !== null && fetched > count ? { ...listed, next: { by, id } } : listed;
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
    const way = await this.#way(plan);
    const query = way
      ? queries.shape(`search/count/${way}/${filterKey(table, plan)}`, () =>
          dialect.tenantRead(searchCountPart(queries, table, plan, way)),
        )
      : queries.count(table, plan);
    const [row] = await this.rows(query, valuesOf(tenantId, plan));
    return boundedTotal(row?.[0] as number, countLimit(plan));
  }

  async #way(plan: Searching): Promise<Way | undefined> {
    return plan.search === undefined ? undefined : wayOf(plan.search, await this.hasSearchIndex());
  }
}

/** The rows are numbered in the order of the page, and aggregates take them as they come: one pass, no second sort. */
function listPart(table: TableShape, plan: FindPlan, way: Way | undefined): Part {
  const { hits, page, total } = listedBy(table, plan, way);
  const { size } = plan;
  return join(
    hits,
    `select '[' || coalesce(string_agg(p.body, ',') filter (where p.place <= ${size}), '') || ']' as items,
    count(*) as fetched, min(p.stale_at) filter (where p.place <= ${size}) as stale_at,
    max(p.position) filter (where p.place = ${size}) as by, max(p.id) filter (where p.place = ${size}) as id, (`,
    total,
    ") as n from (select row_number() over () as place, f.* from (",
    page,
    ") f) p",
  );
}

function listedBy(table: TableShape, plan: FindPlan, way: Way | undefined) {
  if (way === "indexed") return searchListParts(queries, table, plan);
  const page = way ? searchPagePart(queries, table, plan, way) : queries.findPart(table, plan);
  const rows = way ? searchCountPart(queries, table, plan, way) : queries.countPart(table, plan);
  return { hits: "", page, total: plan.total.from === "rows" ? rows : queries.counterPart() };
}

function valuesOf(tenantId: string, plan: Searching & Partial<FindPlan>): Values {
  const values = findValues(dialect, tenantId, plan);
  return hasTerm(plan) ? { ...values, ...searchValues(plan) } : values;
}

function hasTerm<P extends Searching>(plan: P): plan is P & { readonly search: string } {
  return plan.search !== undefined;
}
