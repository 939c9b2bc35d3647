import { COUNT_LIMIT, type Condition, type FindPlan } from "@reeve/core/store";
import type { Knex } from "knex";
import { LRUCache } from "lru-cache";
import { type Dialect, join, type Part, part, type Query } from "./dialect.js";
import { getOrCreate } from "./get-or-create.js";
import type { TableShape } from "./table.js";
import { indexName, platformIndexName, uniqueName } from "./table-spec.js";

/** Shapes kept compiled. A program has a few hundred; page sizes chosen by callers must not make them grow without end. */
const SHAPES = 2_000;
const ROW = ["id", "version", "body", "stale_at"];

/** The reads of collections as SQL: each shape is compiled by knex once and kept. */
export class Queries {
  readonly #shapes = new LRUCache<string, Query>({ max: SHAPES });
  /** The commonest read, found without making a key. */
  readonly #gets = new Map<string, Query>();

  constructor(readonly dialect: Dialect) {}

  /** A statement of any shape, compiled the first time its key is asked for. */
  shape(key: string, make: () => Query): Query {
    return getOrCreate(this.#shapes, key, make);
  }

  get(table: TableShape): Query {
    let query = this.#gets.get(table.name);
    if (!query) {
      const row = part(this.#live(table.name).select(ROW).where("id", "id"));
      query = { ...this.dialect.tenantRead(row), point: table.name };
      this.#gets.set(table.name, query);
    }
    return query;
  }

  getMany(table: TableShape): Query {
    return this.shape(`many/${table.name}`, () => {
      const some = this.dialect.oneOf("id", "ids");
      return this.dialect.tenantRead(join(part(this.#live(table.name).select(ROW)), " and ", some));
    });
  }

  lookup(table: TableShape, key: string): Query {
    return this.shape(`key/${table.name}/${key}`, () => {
      const rows = this.#live(this.dialect.from(table.name, uniqueName(table.name, key))).select(ROW);
      const columns = table.spec.unique[key] ?? [];
      for (const [at, column] of columns.entries()) rows.where(column, `w${at}`);
      return this.dialect.tenantRead(part(rows));
    });
  }

  lookupMany(table: TableShape, key: string): Query {
    return this.shape(`keys/${table.name}/${key}`, () => {
      const columns = (table.spec.unique[key] ?? []).map((column) => {
        return [column, table.spec.columns[column] ?? "time"] as const;
      });
      const spec = { table: table.name, index: uniqueName(table.name, key), columns };
      return this.dialect.tenantRead(this.dialect.rowsByKeys(spec, ROW));
    });
  }

  findEach(table: TableShape, { index, size }: Pick<FindPlan, "index" | "size">): Query {
    const column = table.columnOf[index.where[0] as string] as string;
    return this.shape(`each/${table.name}/${column}/${size}`, () => {
      const name = indexName(table.name, { where: [column], by: "created_at" });
      return this.dialect.tenantRead(this.dialect.newestOfEach({ table: table.name, index: name, column, size }, ROW));
    });
  }

  scan(table: TableShape, after: boolean, size: number): Query {
    return this.shape(`scan/${table.name}/${after}/${size}`, () => {
      const rows = this.#live(table.name).select(ROW);
      if (after) rows.where("id", ">", "after");
      return this.dialect.tenantRead(join(part(rows.orderBy("id")), ` limit ${size}`));
    });
  }

  tally(): Query {
    return this.shape("tally", () => {
      const { knex, tenant } = this.dialect;
      const rows = knex("counters").select("value", "n").where("tenant_id", tenant).where("collection", "collection");
      return this.dialect.tenantRead(part(rows.where("field", "field").where("n", ">", knex.raw("0"))));
    });
  }

  /** One counter: slots `collection`, `field`, `value`. */
  counter(): Query {
    return this.shape("counter", () => this.dialect.tenantRead(this.counterPart()));
  }

  counterPart(): Part {
    const { knex, tenant } = this.dialect;
    const rows = knex("counters").select("n").where("tenant_id", tenant).where("collection", "collection");
    return part(rows.where("field", "field").where("value", "value"));
  }

  /** A page and one row more, so that it is known whether there is a next one. Searches have queries of their own. */
  find(table: TableShape, plan: FindPlan): Query {
    return this.shape(`find/${findKey(table, plan)}`, () => this.dialect.tenantRead(this.findPart(table, plan)));
  }

  findPart(table: TableShape, plan: FindPlan): Part {
    const rows = (seek: (query: Knex.QueryBuilder) => void): Part => {
      const query = this.filtered(table, plan, plan.index).select([...ROW, `${table.columnOf[plan.by]} as position`]);
      seek(query);
      return join(part(query), " order by ", this.order(table, plan), ` limit ${plan.size + 1}`);
    };
    const page = (from: Part) => (plan.page ? join(from, { sql: " offset ?", slots: ["offset"] }) : from);
    const [first, second] = this.#seeks(table, plan);
    if (!first) return page(rows(() => {}));
    if (!second) return rows(first);
    // A seek past or from the rows without a value is two seeks, one after the other.
    const both = [first, second].map((seek, at) => join(`select ${at} as half, h.* from (`, rows(seek), ") h"));
    const columns = [...ROW, "position"].map((column) => `u.${column}`).join(", ");
    const order = `half, ${this.dialect.order("position", plan.direction, true)}`;
    return join(
      `select ${columns} from (`,
      both[0] as Part,
      " union all ",
      both[1] as Part,
      `) u order by ${order} limit ${plan.size + 1}`,
    );
  }

  order(table: TableShape, plan: Pick<FindPlan, "by" | "direction">): string {
    return this.dialect.order(table.columnOf[plan.by] as string, plan.direction, plan.by !== "createdAt");
  }

  /** Counts up to the bound and one more. */
  countPart(table: TableShape, plan: Counting): Part {
    const rows = this.filtered(table, plan, plan.index ?? anyIndex(table, plan)).select(
      this.dialect.knex.raw("1 as one"),
    );
    return join("select count(*) as n from (", part(rows), ` limit ${COUNT_LIMIT + 1}) c`);
  }

  count(table: TableShape, plan: Counting): Query {
    return this.shape(`count/${filterKey(table, plan)}`, () => this.dialect.tenantRead(this.countPart(table, plan)));
  }

  platformGet(table: TableShape): Query {
    return this.shape(`platform/get/${table.name}`, () =>
      this.dialect.platformRead(part(this.#everywhere(table, uniqueName(table.name, "id")).where("id", "id"))),
    );
  }

  platformLookup(table: TableShape, key: string): Query {
    return this.shape(`platform/key/${table.name}/${key}`, () => {
      const rows = this.#everywhere(table, uniqueName(table.name, key));
      for (const [at, column] of (table.spec.unique[key] ?? []).entries()) rows.where(column, `w${at}`);
      return this.dialect.platformRead(part(rows));
    });
  }

  platformFind(table: TableShape, after: boolean, size: number): Query {
    return this.shape(`platform/find/${table.name}/${after}/${size}`, () => {
      const rows = this.#everywhere(table, platformIndexName(table.name)).select("created_at as position");
      if (after) rows.whereRaw("(created_at, id) < (?, ?)", ["afterBy", "afterId"]);
      const order = this.dialect.order("created_at", "desc", false);
      return this.dialect.platformRead(join(part(rows), ` order by ${order} limit ${size + 1}`));
    });
  }

  /** Live rows of the tenant that the filter and range let through, sought by an index. */
  filtered(table: TableShape, plan: Filtering, index: FindPlan["index"] | undefined): Knex.QueryBuilder {
    const rows = this.#live(index ? this.#by(table, index) : table.name);
    for (const [at, [field, value]] of plan.where.entries()) {
      const column = table.columnOf[field] as string;
      if (value === null) rows.whereNull(column);
      else rows.where(column, `w${at}`);
    }
    const by = table.columnOf[plan.by ?? "createdAt"] as string;
    if (plan.range?.from !== undefined) rows.where(by, ">=", "from");
    if (plan.range?.before !== undefined) rows.where(by, "<", "before");
    if (plan.range?.through !== undefined) rows.where(by, "<=", "through");
    return rows;
  }

  #by(table: TableShape, { where, by = "createdAt" }: FindPlan["index"]): string | Knex.Raw {
    const columns = { where: where.map((field) => table.columnOf[field] as string), by: table.columnOf[by] as string };
    return this.dialect.from(table.name, indexName(table.name, columns));
  }

  #live(from: string | Knex.Raw): Knex.QueryBuilder {
    const { knex, tenant } = this.dialect;
    return knex
      .from(from as string)
      .where("tenant_id", tenant)
      .whereNull("removed_at");
  }

  #everywhere(table: TableShape, index: string): Knex.QueryBuilder {
    const { knex } = this.dialect;
    return knex
      .from(this.dialect.from(table.name, index) as string)
      .select("tenant_id", ...ROW)
      .whereNull("removed_at");
  }

  /** The conditions to go on after a position: none, one, or two halves with rows without a value first or last. */
  #seeks(table: TableShape, plan: FindPlan): ((query: Knex.QueryBuilder) => void)[] {
    if (!plan.after) return [];
    const by = table.columnOf[plan.by] as string;
    const up = plan.direction === "asc";
    const sign = up ? ">" : "<";
    const ranged = isBounded(plan.range);
    const past = (query: Knex.QueryBuilder) =>
      void query.whereRaw(`(??, id) ${sign} (?, ?)`, [by, "afterBy", "afterId"]);
    const none = (query: Knex.QueryBuilder) => void query.whereNull(by);
    if (plan.after.by !== null) return up || ranged || plan.by === "createdAt" ? [past] : [past, none];
    const pastNone = (query: Knex.QueryBuilder) => void query.whereNull(by).where("id", sign, "afterId");
    return up ? [pastNone, (query) => void query.whereNotNull(by)] : [pastNone];
  }
}

type Filtering = { readonly where: readonly Condition[] } & Partial<Pick<FindPlan, "range" | "by">>;
/** What a bounded count needs of a plan; a count without a find has no index chosen yet. */
export type Counting = Filtering & { readonly index?: FindPlan["index"] };

/** Whether a range has a bound, so that rows without a value are left out. */
export function isBounded({ from, before, through }: FindPlan["range"]): boolean {
  return from !== undefined || before !== undefined || through !== undefined;
}

function anyIndex(table: TableShape, plan: Counting): FindPlan["index"] | undefined {
  const names = plan.where.map(([field]) => field);
  return table.indexes.find(
    (index) => index.where.length === names.length && index.where.every((name) => names.includes(name)),
  );
}

/** What makes two filters the same statement. */
export function filterKey(table: TableShape, plan: Counting): string {
  const where = plan.where.map(([field, value]) => (value === null ? `${field}=null` : field)).join(",");
  const { from, before, through } = plan.range ?? {};
  const upper = through === undefined ? "" : "through";
  const range = `${from === undefined ? "" : "from"}${before === undefined ? upper : "before"}`;
  return `${table.name}/${where}/${plan.by ?? ""}/${range}`;
}

/** What makes two pages the same statement. */
export function findKey(table: TableShape, plan: FindPlan): string {
  const after = plan.after ? (plan.after.by === null ? "none" : "past") : plan.page ? "offset" : "";
  return `${filterKey(table, plan)}/${plan.direction}/${after}/${plan.size}`;
}
