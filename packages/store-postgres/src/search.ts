import { type FindPlan, SEARCH_CANDIDATES, SEARCH_COUNT_LIMIT } from "@reeve/core/store";
import {
  type Counting,
  isBounded,
  isShort,
  join,
  type Part,
  part,
  type Queries,
  type TableShape,
} from "@reeve/store-sql";
import { searchFunction } from "./roles.js";

export type Searching = Counting & Pick<FindPlan, "search">;

/** How candidates are found: by the trigram index, or among the newest rows of the filter. */
export type Way = "indexed" | "newest";

/** Rows that hold the term, as `select … from … where …`, not yet ordered or cut. */
export function searchPart(
  queries: Queries,
  table: TableShape,
  plan: Searching,
  way: Way,
  columns: readonly string[],
  ids: Part = candidatesOf(table),
): Part {
  const { knex } = queries.dialect;
  if (way === "newest") {
    const rows = queries.filtered(table, plan, plan.index).orderBy([
      { column: "created_at", order: "desc" },
      { column: "id", order: "desc" },
    ]);
    const newest = join(part(rows.select("*")), ` limit ${SEARCH_CANDIDATES}`);
    return join(`select ${columns.join(", ")} from (`, newest, ") t where ", holdsTerm);
  }
  const rows = queries.filtered(table, plan, plan.index).select(knex.raw(columns.join(", ")));
  // The fence keeps the rows from being sought in the order of the page instead of by their ids.
  return join(part(rows), " and id = any(", ids, ") offset 0");
}

/** The ids of rows that hold the term, the newest first. */
function candidatesOf(table: TableShape): Part {
  // Asked for behind the tenant, which it reads from the session.
  const sql = `array(select "${searchFunction(table.name)}"(?, ?, ?) where s.tenant is not null)`;
  return { sql, slots: ["term", "pattern", "candidates"] };
}

const holdsTerm: Part = { sql: "strpos(search_text, ?) > 0", slots: ["term"] };

const PAGE = ["id", "version", "body", "stale_at", "created_at as position", "created_at"];

/** A page of hits and one more, newest first. */
export function searchPagePart(queries: Queries, table: TableShape, plan: FindPlan, way: Way, ids?: Part): Part {
  const rows = searchPart(queries, table, plan, way, PAGE, ids);
  const after = plan.after ? { sql: " where (h.created_at, h.id) < (?, ?)", slots: ["afterBy", "afterId"] } : "";
  const order = ` order by h.created_at desc, h.id desc limit ${plan.size + 1}`;
  const page = join("select h.id, h.version, h.body, h.stale_at, h.position from (", rows, ") h", after, order);
  return plan.page ? join(page, { sql: " offset ?", slots: ["offset"] }) : page;
}

/** How many hits there are, up to the bound and one more. */
export function searchCountPart(queries: Queries, table: TableShape, plan: Searching, way: Way, ids?: Part): Part {
  const rows = searchPart(queries, table, plan, way, ["1 as one"], ids);
  return join("select count(*) as n from (", rows, ` limit ${SEARCH_COUNT_LIMIT + 1}) c`);
}

/**
 * What a page with its total is made of: the ids are looked for once. Where nothing else thins the hits out, the total is their
 * number, and the page is a part of them.
 */
export function searchListParts(queries: Queries, table: TableShape, plan: FindPlan) {
  const ids: Part = { sql: "(select f.ids from f)::text[]", slots: [] };
  const hits = join("with f as materialized (select ", candidatesOf(table), " as ids) ");
  if (isThinned(plan))
    return {
      hits,
      page: searchPagePart(queries, table, plan, "indexed", ids),
      total: searchCountPart(queries, table, plan, "indexed", ids),
    };
  const start: Part = plan.page ? { sql: "?::integer", slots: ["offset"] } : { sql: "0", slots: [] };
  const shown = join("(select f.ids[", start, " + 1 : ", start, ` + ${plan.size + 1}] from f)::text[]`);
  return {
    hits,
    page: searchPagePart(queries, table, { ...plan, page: 0 }, "indexed", shown),
    total: { sql: `select least(cardinality(f.ids), ${SEARCH_COUNT_LIMIT + 1}) as n from f`, slots: [] },
  };
}

/** The slots of a search. A page that no filter thins out needs no more candidates than it shows and counts. */
export function searchValues(
  plan: Searching & { readonly search: string } & Partial<FindPlan>,
): Record<string, unknown> {
  const shown = plan.size === undefined ? 0 : ((plan.page ?? 0) + 1) * plan.size + 1;
  const enough = Math.min(SEARCH_CANDIDATES, Math.max(shown, SEARCH_COUNT_LIMIT + 1));
  const candidates = isThinned(plan) ? SEARCH_CANDIDATES : enough;
  const pattern = `%${plan.search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return { term: plan.search, pattern, candidates };
}

/** Whether not every row that holds the term is a hit on the page. */
function isThinned({ where, range, after }: Pick<FindPlan, "where"> & Partial<FindPlan>): boolean {
  return where.length > 0 || (range !== undefined && isBounded(range)) || after !== undefined;
}

/** Terms too short for the index, and databases without it, look at the newest rows. */
export function wayOf(term: string, hasIndex: boolean): Way {
  return hasIndex && !isShort(term) ? "indexed" : "newest";
}
