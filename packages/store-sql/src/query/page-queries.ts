import { type CountPlan, countLimit, type FindPlan, isBounded, type KeyQuery, type Scan } from "@reeve/core/store";
import { type Dialect, join, type Part, type Query } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";
import type { Queries } from "./queries.js";
import { type Columns, fromRows, holdsPart, residualPart, scanKey, scanPart } from "./scan.js";

/** A page in the order of the plan's index plus one row, which shows whether there is a next page. */
export function pageQuery(queries: Queries, table: TableShape, plan: FindPlan): Query {
  return queries.shape(`page/${pageKey(table, plan)}`, () =>
    queries.dialect.tenantRead(pagePart(queries.dialect, table, plan), keptOf(plan)),
  );
}

/** A key that is equal for pages of equal SQL. */
export function pageKey(table: TableShape, plan: FindPlan): string {
  return `${scanKey(table, plan, plan)}/${plan.page ? "offset" : ""}`;
}

/** Whether to keep a statement prepared. With more than one free filter there are too many combinations. */
export function keptOf({ residual, words }: Pick<Scan, "residual" | "words">): "kept" | "once" {
  return residual.length + words.length <= 1 ? "kept" : "once";
}

/**
 * Id, version, body, stale_at and position of a page's rows. With residual filters it examines no more than the bound.
 */
export function pagePart(dialect: Dialect, table: TableShape, plan: FindPlan): Part {
  const position = `"${table.columnOf[plan.by]}" as position`;
  const page = cutPart(plan);
  if (!isBounded(plan)) {
    const rows = scanPart(dialect, table, plan, plan, columnsOf(table.row, position), "reach");
    return plan.page ? join("select p.* from (", rows, ") p", page) : rows;
  }
  const shown = (of: string) => [...table.row.map((column) => `${of}."${column}"`), "c.position"].join(", ");
  if (dialect.rowNumber !== undefined) {
    const { rowNumber: n } = dialect;
    const rows = scanPart(dialect, table, plan, plan, columnsOf([n, "id"], position), "bound");
    const late = `) c cross join ${dialect.table(table.name)} t on t."${n}" = c."${n}" where 1 = 1`;
    return join(`select ${shown("t")} from (`, rows, late, residualPart(dialect, table, plan, "t"), page);
  }
  const asked = plan.residual.map(([field]) => table.columnOf[field] as string);
  const text = plan.words.length > 0 ? ["search_text"] : [];
  const columns = columnsOf([...new Set([...table.row, ...asked, ...text])], position);
  const rows = scanPart(dialect, table, plan, plan, columns, "bound");
  return join(`select ${shown("c")} from (`, rows, ") c where true", residualPart(dialect, table, plan, "c"), page);
}

/** The limit of a page, with one row more to tell whether there is a next one. */
export function cutPart({ page }: Pick<FindPlan, "page">): Part {
  return page ? { sql: " limit ? offset ?", slots: ["fetch", "offset"] } : { sql: " limit ?", slots: ["fetch"] };
}

/**
 * A page that ends at its bound, and behind it the position of the last row examined and one row more if there are more.
 * The last column tells them apart. One statement, as a row that others remove would move the end of another one.
 */
export function edgedPageQuery(queries: Queries, table: TableShape, plan: FindPlan): Query {
  return queries.shape(`edged/${pageKey(table, plan)}`, () => {
    const { dialect } = queries;
    const columns = columnsOf(["id"], `"${table.columnOf[plan.by]}" as position`);
    const looked = scanPart(dialect, table, plan, plan, columns, "beyond");
    const edge = table.row.map((column) => (column === "id" ? "e.id" : "null"));
    return dialect.tenantRead(
      join(
        "select p.*, 0 as edge from (",
        pagePart(dialect, table, plan),
        `) p union all select ${edge.join(", ")}, e.position, 1 from (select l.* from (`,
        looked,
        { sql: ") l limit 2 offset ?) e", slots: ["edge"] },
      ),
      keptOf(plan),
    );
  });
}

/** The number of matching rows, up to their bound plus one. And the number of rows examined, up to theirs plus one. */
export function countPart(dialect: Dialect, table: TableShape, scan: Scan): Part {
  const column = scan.anyOf && table.columnOf[scan.anyOf[0]];
  const anyOf = column === undefined ? [] : [" and ", dialect.oneOf(column, "any")];
  const from = join(...fromRows(dialect, table, scan), ...anyOf);
  const limit = ` limit ${countLimit(scan) + 1}`;
  if (!isBounded(scan)) return join("select count(*) as n, 0 as looked from (select 1 as one", from, limit, ") c");
  const asked = [
    ...scan.residual.map(([field]) => table.columnOf[field] as string),
    ...(scan.words.length > 0 ? ["search_text"] : []),
  ];
  const bound: Part = { sql: " limit ?", slots: ["bound"] };
  const looked = join(`select ${quoted(asked)}`, from, bound);
  const hits = join("select 1 as one from (", looked, ") r where true", residualPart(dialect, table, scan, "r"), limit);
  const all = join("select 1 as one", from, { sql: " limit ?", slots: ["beyond"] });
  return join("select (select count(*) from (", hits, ") h) as n, (select count(*) from (", all, ") a) as looked");
}

/** The total of a plan that counts rows. */
export function countQuery(
  queries: Queries,
  table: TableShape,
  { scan }: CountPlan & { readonly from: "rows" },
): Query {
  return queries.shape(`count/${scanKey(table, scan)}`, () =>
    queries.dialect.tenantRead(countPart(queries.dialect, table, scan), keptOf(scan)),
  );
}

/** Id, hit and the given fields of rows, in the order of an index. */
export function keysQuery(queries: Queries, table: TableShape, query: KeyQuery): Query {
  const { scan, direction, fields, run } = query;
  const ends = { direction, after: run?.from, to: run?.to };
  const words = Math.min(scan.words.length, 2);
  return queries.shape(`keys/${scanKey(table, { ...scan, words: [] }, ends)}/${fields}/${words}`, () => {
    const { dialect } = queries;
    const hit = scan.words.length > 0 ? holdsPart(dialect, scan.words) : "true";
    const columns = join(
      '"id", ',
      hit,
      ` as hit, ${fieldColumns(table, fields)}, "${table.columnOf[scan.by]}" as position`,
    );
    const names = ["id", "hit", ...fields.map((field) => table.columnOf[field] as string), "position"];
    return dialect.tenantRead(scanPart(dialect, table, scan, ends, { part: columns, names }, "limit"), "once");
  });
}

/** The columns of these fields, for `keysOf`. */
export function fieldColumns(table: TableShape, fields: readonly string[], of = ""): string {
  return fields.map((field) => `${of}"${table.columnOf[field]}"`).join(", ");
}

function columnsOf(names: readonly string[], position: string): Columns {
  return { part: { sql: `${quoted(names)}, ${position}`, slots: [] }, names: [...names, "position"] };
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}
