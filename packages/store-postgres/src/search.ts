import { COUNT_LIMIT, type FindPlan, SEARCH_CANDIDATES } from "@reeve/core";
import { type Counting, isShort, join, type Part, part, type Queries, type TableShape } from "@reeve/store-sql";
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
  const candidates = {
    sql: `select "${searchFunction(table.name)}"(?, ?, ?)`,
    slots: ["term", "pattern", "candidates"],
  };
  const rows = queries.filtered(table, plan, plan.index).select(knex.raw(columns.join(", ")));
  // The fence keeps the rows from being sought in the order of the page instead of by their ids.
  return join(part(rows), " and id = any(array(", candidates, ")) offset 0");
}

const holdsTerm: Part = { sql: "strpos(search_text, ?) > 0", slots: ["term"] };

/** A page of hits and one more, newest first. */
export function searchPagePart(queries: Queries, table: TableShape, plan: FindPlan, way: Way): Part {
  const rows = searchPart(queries, table, plan, way, [
    "id",
    "version",
    "body",
    "stale_at",
    "created_at as position",
    "created_at",
  ]);
  const after = plan.after ? { sql: " where (h.created_at, h.id) < (?, ?)", slots: ["afterBy", "afterId"] } : "";
  const order = ` order by h.created_at desc, h.id desc limit ${plan.size + 1}`;
  const page = join("select h.id, h.version, h.body, h.stale_at, h.position from (", rows, ") h", after, order);
  return plan.page ? join(page, { sql: " offset ?", slots: ["offset"] }) : page;
}

/** How many hits there are, up to the bound and one more. */
export function searchCountPart(queries: Queries, table: TableShape, plan: Searching, way: Way): Part {
  const rows = searchPart(queries, table, plan, way, ["1 as one"]);
  return join("select count(*) as n from (", rows, ` limit ${COUNT_LIMIT + 1}) c`);
}

/** The slots of a search. A page that no filter thins out needs no more candidates than it shows and counts. */
export function searchValues(
  plan: Searching & { readonly search: string } & Partial<FindPlan>,
): Record<string, unknown> {
  const shown = plan.size === undefined ? 0 : ((plan.page ?? 0) + 1) * plan.size + 1;
  const thinned =
    plan.where.length > 0 || plan.range?.from !== undefined || plan.range?.before !== undefined || plan.after;
  const candidates = thinned ? SEARCH_CANDIDATES : Math.min(SEARCH_CANDIDATES, Math.max(shown, COUNT_LIMIT + 1));
  const pattern = `%${plan.search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return { term: plan.search, pattern, candidates };
}

/** Terms too short for the index, and databases without it, look at the newest rows. */
export function wayOf(term: string, hasIndex: boolean): Way {
  return hasIndex && !isShort(term) ? "indexed" : "newest";
}
