import { COMBINATION_LIMIT, type CountPlan, type FindPlan, type PartialCounters } from "@reeve/core/store";
import type { Knex } from "knex";
import { LRUCache } from "lru-cache";
import { countedText } from "../schema/counted-text.js";
import { type Dialect, join, type Part, part, type Query, tableIn } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";
import { indexName, platformIndexName, platformKeyName, uniqueName } from "../schema/table-spec.js";
import { getOrCreate } from "./get-or-create.js";
import { counterKey, isOneCounter } from "./values.js";

/** Compiled shapes to keep. A program has a few hundred, but callers choose filters, so their number needs a limit. */
const SHAPES = 2_000;
/** Sizes are parameters, so that the sizes callers choose make no statements of their own. */
export const SIZE: Part = { sql: " limit ?", slots: ["size"] };
export const FETCH: Part = { sql: " limit ?", slots: ["fetch"] };

/** Reads of collections as SQL. knex compiles each shape once. */
export class Queries {
  readonly #shapes = new LRUCache<string, Query>({ max: SHAPES });
  /** The most frequent read, found without building a key. */
  readonly #gets = new Map<string, Query>();

  constructor(readonly dialect: Dialect) {}

  /** A statement, compiled when its key is first used. */
  shape(key: string, make: () => Query): Query {
    return getOrCreate(this.#shapes, key, make);
  }

  get(table: TableShape): Query {
    let query = this.#gets.get(table.key);
    if (!query) {
      const row = part(this.#byId(table).where("id", "id"));
      query = { ...this.dialect.tenantRead(row), point: table.name };
      this.#gets.set(table.key, query);
    }
    return query;
  }

  getMany(table: TableShape): Query {
    return this.shape(`many/${table.key}`, () => {
      const some = this.dialect.oneOf("id", "ids");
      return this.dialect.tenantRead(join(part(this.#byId(table)), " and ", some));
    });
  }

  lookup(table: TableShape, key: string): Query {
    return this.shape(`key/${table.key}/${key}`, () => {
      const rows = this.#live(this.dialect.from(table.name, uniqueName(table.name, key))).select(table.row);
      const columns = table.spec.unique[key] ?? [];
      for (const [at, column] of columns.entries()) rows.where(column, `w${at}`);
      return this.dialect.tenantRead(part(rows));
    });
  }

  lookupMany(table: TableShape, key: string): Query {
    return this.shape(`keys/${table.key}/${key}`, () => {
      const columns = (table.spec.unique[key] ?? []).map((column) => {
        return [column, table.spec.columns[column] ?? "time"] as const;
      });
      const spec = { table: table.name, index: uniqueName(table.name, key), columns };
      return this.dialect.tenantRead(this.dialect.rowsByKeys(spec, table.row));
    });
  }

  findTopPerKey(table: TableShape, { index }: Pick<FindPlan, "index">): Query {
    const column = table.columnOf[index.where[0] as string] as string;
    return this.shape(`each/${table.key}/${column}`, () => {
      const name = indexName(table.name, { where: [column], by: "created_at" });
      return this.dialect.tenantRead(this.dialect.newestPerKey({ table: table.name, index: name, column }, table.row));
    });
  }

  scan(table: TableShape, after: boolean): Query {
    return this.shape(`scan/${table.key}/${after}`, () => {
      const rows = this.#byId(table);
      if (after) rows.where("id", ">", "after");
      return this.dialect.tenantRead(join(part(rows.orderBy("id")), SIZE));
    });
  }

  countBy(): Query {
    return this.shape("countBy", () => {
      const { knex, tenant } = this.dialect;
      const rows = knex(tableIn(this.dialect, "counters"))
        .select("value", "n")
        .where("tenant_id", tenant)
        .where("collection", "collection");
      return this.dialect.tenantRead(part(rows.where("field", "field").where("n", ">", knex.raw("0"))));
    });
  }

  /** Counts the rows themselves, of a field whose counters are not complete. */
  countRowsBy(table: TableShape, field: string): Query {
    const column = table.columnOf[field] as string;
    return this.shape(`countRowsBy/${table.key}/${column}`, () => {
      const { knex } = this.dialect;
      const value = knex.raw(countedText(column, table.spec.columns[column]));
      const rows = this.#liveOf(table.name).select(value, knex.raw("count(*) as n")).whereNotNull(column);
      return this.dialect.tenantRead(part(rows.groupBy(column)));
    });
  }

  counter(total: CountPlan): Query {
    return this.shape(counterKey(total), () => this.dialect.tenantRead(this.counterPart(total)));
  }

  /** The SQL that reads the counters of `total`. Bind its slots by `counterValues`. */
  counterPart(total: CountPlan): Part {
    const { knex, tenant } = this.dialect;
    const sum = knex.raw("cast(coalesce(sum(n), 0) as bigint) as n");
    const rows = knex(tableIn(this.dialect, "counters"))
      .where("tenant_id", tenant)
      .where("collection", "collection")
      .where("field", "field");
    if (total.from === "combinations") return this.#combinations(total, rows.select("value", "n"));
    rows.select(sum);
    if (isOneCounter(total)) return part(rows.where("value", "value"));
    return join(part(rows), " and ", this.dialect.oneOf("value", "values"));
  }

  /** The sum of those with the marks, and how many were looked at. */
  #combinations({ marks }: PartialCounters, all: Knex.QueryBuilder): Part {
    const held = marks.map(({ length }, at) =>
      this.dialect.holdsOne("value", `m${at}`, length === 1 ? "one" : "several", "c"),
    );
    return join(
      "select cast(coalesce(sum(case when ",
      ...held.flatMap((each, at) => (at === 0 ? [each] : [" and ", each])),
      " then c.n end), 0) as bigint) as n, count(*) as looked from (",
      part(all.where("n", ">", this.dialect.knex.raw("0"))),
      ` limit ${COMBINATION_LIMIT + 1}) c`,
    );
  }

  platformGet(table: TableShape): Query {
    return this.shape(`platform/get/${table.key}`, () =>
      this.dialect.platformRead(part(this.#everywhere(table, uniqueName(table.name, "id")).where("id", "id"))),
    );
  }

  platformLookup(table: TableShape, key: string): Query {
    return this.shape(`platform/key/${table.key}/${key}`, () => {
      const rows = this.#everywhere(table, uniqueName(table.name, key));
      for (const [at, column] of (table.spec.unique[key] ?? []).entries()) rows.where(column, `w${at}`);
      return this.dialect.platformRead(part(rows));
    });
  }

  platformLookupAll(table: TableShape, key: string): Query {
    return this.shape(`platform/keys/${table.key}/${key}`, () => {
      const rows = this.#everywhere(table, platformKeyName(table.name, key));
      for (const [at, column] of (table.spec.unique[key] ?? []).entries()) rows.where(column, `w${at}`);
      const order = ` order by ${this.dialect.order("created_at", "asc")}`;
      return this.dialect.platformRead(join(part(rows), order, SIZE));
    });
  }

  platformFind(table: TableShape, after: boolean): Query {
    return this.shape(`platform/find/${table.key}/${after}`, () => {
      const rows = this.#everywhere(table, platformIndexName(table.name)).select("created_at as position");
      if (after) rows.whereRaw("(created_at, id) < (?, ?)", ["afterBy", "afterId"]);
      const order = this.dialect.order("created_at", "desc");
      return this.dialect.platformRead(join(part(rows), ` order by ${order}`, FETCH));
    });
  }

  /** A tenant's rows, to be found by their ids. */
  #byId({ name, row }: TableShape): Knex.QueryBuilder {
    const { knex, tenant } = this.dialect;
    const rows = knex.from(tableIn(this.dialect, name)).where("tenant_id", tenant);
    return rows.whereRaw(this.dialect.isThere()).select(row);
  }

  #liveOf(name: string): Knex.QueryBuilder {
    return this.#live(tableIn(this.dialect, name));
  }

  #live(from: Knex.Raw): Knex.QueryBuilder {
    const { knex, tenant } = this.dialect;
    return knex.from(from).where("tenant_id", tenant).whereNull("removed_at");
  }

  #everywhere(table: TableShape, index: string): Knex.QueryBuilder {
    const { knex } = this.dialect;
    return knex
      .from(this.dialect.from(table.name, index))
      .select("tenant_id", ...table.row)
      .whereNull("removed_at");
  }
}
