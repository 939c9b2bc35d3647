import { type FindPlan, SEARCH_CANDIDATES, SEARCH_COUNT_LIMIT } from "@reeve/core/store";
import {
  type Counting,
  filterKey,
  findKey,
  findValues,
  isShort,
  join,
  type Part,
  part,
  type Queries,
  type Query,
  type Rows,
  type TableShape,
} from "@reeve/store-sql";
import type { Statements } from "./statements.js";

/** Row numbers of one tenant in a search index start here, times the tenant's number. */
const TENANT_SPAN = 2n ** 32n;
/** More trigrams than this narrow a search no further. */
const MOST_GRAMS = 6;

export type Searching = Counting & Pick<FindPlan, "search">;

/** The number of a row in a search index: the tenant's number above, the row's own below. */
export function searchRow(tenantNumber: number, n: number): bigint {
  return BigInt(tenantNumber) * TENANT_SPAN + BigInt(n);
}

/** A page of hits, newest first, with how many hits there are up to the bound and one more. */
export function searchPage(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  plan: FindPlan & { readonly search: string },
): { readonly rows: Rows; readonly matches: number } {
  const way = wayOf(statements, tenantId, table, plan);
  const values = valuesOf(statements, queries, tenantId, table, plan);
  const hits = statements.rows(hitsQuery(queries, table, plan, way), values);
  const many = hits.length > SEARCH_COUNT_LIMIT;
  // Few hits are put in order by time; many are taken as they come off the index, newest row first, until the page is full.
  const page = queries.shape(`search/${way.short}/${way.pending}/${many}/${findKey(table, plan)}`, () =>
    queries.dialect.tenantRead(many ? manyPart(queries, table, plan, way) : fewPart(table, plan)),
  );
  const numbers = many ? undefined : JSON.stringify(hits.map(([n]) => n));
  return { rows: statements.rows(page, { ...values, numbers }), matches: hits.length };
}

/** How many rows hold the term, up to the bound and one more. */
export function countMatches(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  plan: Searching & { readonly search: string },
): number {
  const way = wayOf(statements, tenantId, table, plan);
  const values = valuesOf(statements, queries, tenantId, table, plan);
  return statements.rows(hitsQuery(queries, table, plan, way), values).length;
}

/** How a search finds its candidates: by the newest rows, or by the index and maybe the rows that wait for it. */
interface Way {
  readonly short: boolean;
  readonly pending: boolean;
}

function wayOf(statements: Statements, tenantId: string, table: TableShape, plan: { readonly search: string }): Way {
  const short = isShort(plan.search);
  return { short, pending: !short && hasPending(statements, table.name, tenantId) };
}

/** The numbers of the hits, up to the bound and one more. */
function hitsQuery(queries: Queries, table: TableShape, plan: Searching, way: Way): Query {
  return queries.shape(`search/hits/${way.short}/${way.pending}/${filterKey(table, plan)}`, () =>
    queries.dialect.tenantRead(
      join("select t.n ", matching(queries, table, plan, way), ` limit ${SEARCH_COUNT_LIMIT + 1}`),
    ),
  );
}

const ROW = "select t.id, t.version, t.body, t.stale_at, t.created_at ";

function fewPart(table: TableShape, plan: FindPlan): Part {
  const among = `from json_each(?) c cross join "${table.name}" t on t.n = c.value where t.tenant_id = ?`;
  const after = plan.after ? byTime : "";
  const order = ` order by t.created_at desc, t.id desc limit ${plan.size + 1}`;
  return paged(join(ROW, { sql: among, slots: ["numbers", "tenant"] }, after, order), plan);
}

function manyPart(queries: Queries, table: TableShape, plan: FindPlan, way: Way): Part {
  const after = !plan.after ? "" : way.short ? byTime : byNumber(table);
  return paged(join(ROW, matching(queries, table, plan, way), after, ` limit ${plan.size + 1}`), plan);
}

function paged(rows: Part, plan: FindPlan): Part {
  return plan.page ? join(rows, { sql: " offset ?", slots: ["offset"] }) : rows;
}

const byTime: Part = { sql: " and (t.created_at, t.id) < (?, ?)", slots: ["afterBy", "afterId"] };

function byNumber(table: TableShape): Part {
  const at = `select n from "${table.name}" where tenant_id = ? and id = ?`;
  return { sql: ` and t.n < (${at})`, slots: ["tenant", "afterId"] };
}

/** The candidates by row number, newest first, and the rows of them that hold the term: `from … where …`. */
function matching(queries: Queries, table: TableShape, plan: Searching, way: Way): Part {
  const candidates = way.short ? newest(queries, table, plan) : indexed(table, way.pending);
  const filter = way.short ? "" : withAlias(queries, table, plan);
  return join(
    "from (",
    candidates,
    `) c cross join "${table.name}" t on t.n = c.n where t.removed_at is null and `,
    { sql: "t.tenant_id = ? and instr(t.search_text, ?) > 0", slots: ["tenant", "term"] },
    filter,
  );
}

/** The newest rows of the filter: for terms that no index holds. */
function newest(queries: Queries, table: TableShape, plan: Searching): Part {
  const rows = queries.filtered(table, plan, plan.index ?? newestIndex(table, plan)).select("n");
  return join(part(rows), ` order by ${queries.dialect.order("created_at", "desc", false)} limit ${SEARCH_CANDIDATES}`);
}

function newestIndex(table: TableShape, plan: Searching) {
  const names = plan.where.map(([field]) => field);
  return table.indexes.find(
    ({ where, by = "createdAt" }) =>
      by === "createdAt" && where.length === names.length && where.every((name) => names.includes(name)),
  );
}

/** The newest rows of the tenant that the trigram index finds, and those that wait to be in it. */
function indexed(table: TableShape, pending: boolean): Part {
  const fts = `"${table.name}_fts"`;
  const hits = {
    sql: `select rowid & ${TENANT_SPAN - 1n} as n from ${fts} where ${fts} match ? and rowid > ? and rowid < ? order by rowid desc limit ${SEARCH_CANDIDATES}`,
    slots: ["match", "first", "end"],
  };
  if (!pending) return hits;
  const waiting = {
    sql: `select n from search_pending where collection = ? and tenant_id = ? order by n desc limit ${SEARCH_CANDIDATES}`,
    slots: ["collection", "tenant"],
  };
  // SQLite drops the order of a sub-select that has no limit.
  return join(
    "select n from (",
    hits,
    ") union select n from (",
    waiting,
    `) order by n desc limit ${SEARCH_CANDIDATES}`,
  );
}

/** The filter again, on the rows the index found. */
function withAlias(queries: Queries, table: TableShape, plan: Searching): Part {
  const rows = queries.dialect.knex.queryBuilder();
  for (const [at, [field, value]] of plan.where.entries()) {
    const column = `t.${table.columnOf[field]}`;
    if (value === null) rows.whereNull(column);
    else rows.where(column, `w${at}`);
  }
  if (plan.range?.from !== undefined) rows.where("t.created_at", ">=", "from");
  if (plan.range?.before !== undefined) rows.where("t.created_at", "<", "before");
  if (plan.range?.through !== undefined) rows.where("t.created_at", "<=", "through");
  const { sql, slots } = part(rows);
  const where = sql.indexOf("where ");
  return where < 0 ? { sql: "", slots: [] } : { sql: ` and ${sql.slice(where + "where ".length)}`, slots };
}

function valuesOf(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  plan: Searching & { readonly search: string } & Partial<Pick<FindPlan, "after" | "page" | "size">>,
): Record<string, unknown> {
  const values = { ...findValues(queries.dialect, tenantId, plan), collection: table.name, term: plan.search };
  if (isShort(plan.search)) return values;
  // A tenant without a number has nothing in any index: no row has the number 0.
  const number = tenantNumber(statements, tenantId) ?? 0;
  return { ...values, match: matchText(plan.search), first: searchRow(number, 0), end: searchRow(number + 1, 0) };
}

/** Whether a tenant's rows of a collection wait to be indexed. */
function hasPending(statements: Statements, collection: string, tenantId: string): boolean {
  const sql = "select 1 from search_pending where collection = ? and tenant_id = ? limit 1";
  return statements.read(sql, collection, tenantId).length > 0;
}

/** The number of a tenant in the search indexes. */
export function tenantNumber(statements: Statements, tenantId: string): number | undefined {
  return statements.read("select no from search_tenants where tenant_id = ?", tenantId)[0]?.[0] as number | undefined;
}

/** All trigrams of the term, each as a quoted string; the rows found are checked against the whole term. */
function matchText(term: string): string {
  const letters = [...term];
  const grams = new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")));
  const all = [...grams];
  const step = Math.max(1, Math.ceil(all.length / MOST_GRAMS));
  return all
    .filter((_, at) => at % step === 0)
    .map((gram) => `"${gram.replaceAll('"', '""')}"`)
    .join(" ");
}
