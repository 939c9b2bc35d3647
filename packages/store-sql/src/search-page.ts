import { type FindPlan, type Found, mostGathered, type StoredRecord, type Total } from "@reeve/core/store";
import type { Access } from "./access.js";
import { type Dialect, join, type Part, type Query } from "./dialect.js";
import { keptOf } from "./page-queries.js";
import type { Queries } from "./queries.js";
import { foundOf, rowOf } from "./rows.js";
import { residualPart, scanKey } from "./scan.js";
import type { SearchIndex } from "./search.js";
import type { Table, TableShape } from "./table.js";
import { scanValues } from "./values.js";

/** A page of a search whose rows were all looked at, so that the total is exact. */
export interface SearchPage<R extends StoredRecord> extends Found<R> {
  readonly total: Total;
}

/** A page of a search by one order; `undefined` when no index tells what holds the words, or too many rows may. */
export async function searchPage<R extends StoredRecord>(
  { queries, search, rows }: Access,
  tenantId: string,
  table: Table<R>,
  plan: FindPlan,
): Promise<SearchPage<R> | undefined> {
  const candidates = await search.values(tenantId, table, plan.words);
  if (!candidates) return undefined;
  const { size, after } = plan;
  const limit = mostGathered(plan) + 1;
  const found = await rows(searchPageQuery(queries, search, table, plan), {
    ...scanValues(queries.dialect, tenantId, asked(plan)),
    ...candidates,
    ...{ limit, afterBy: after?.by, afterId: after?.id, fetch: size + 1, offset: (plan.page ?? 0) * size },
  });
  const [, , , , looked, hits] = found[0] ?? [];
  if ((looked as number) >= limit) return undefined;
  const held = found.filter(([id]) => id !== null);
  const page = foundOf<R>(held, size, (cells) => rowOf(tenantId, cells));
  return { ...page, total: { count: hits as number, exact: true } };
}

/** The hits put in order, cut to a page and counted in one statement. */
function searchPageQuery(queries: Queries, search: SearchIndex, table: TableShape, plan: FindPlan): Query {
  const scan = asked(plan);
  const key = `${scanKey(table, scan, plan)}/${plan.page ? "offset" : ""}`;
  return queries.shape(`search/${key}`, () => {
    const { dialect } = queries;
    const { found, count, rows, key: column } = search.candidates(table);
    const fields = `t.id, t.${column} as k, t."${table.columnOf[plan.by]}" as position`;
    const passing = join(rows, residualPart(dialect, table, scan, "t"), rangePart(table, plan));
    const order = orderOf(plan);
    const page = join("select h.* from h where 1 = 1", afterPart(plan), ` order by ${order("h")}`, cutOf(plan));
    const statement = join(
      ...[
        "with c as materialized (",
        found,
        `), h as materialized (select ${fields}`,
        passing,
        "), p as (",
        page,
        ") ",
      ],
      "select t.id, t.version, t.body, t.stale_at, z.looked, z.hits, p.position from ",
      `(select (${count}) as looked, (select count(*) from h) as hits) z left join p on 1 = 1 `,
      ...[`left join ${dialect.table(table.name)} t on t.${column} = p.k`, tenantPart(dialect)],
      ` order by ${order("p")}`,
    );
    return dialect.tenantRead(statement, keptOf(scan));
  });
}

/** A search asks every filter of the rows that were found, and needs no index of theirs. */
function asked({ filters, words, by, range }: FindPlan) {
  return { index: { where: [] }, where: [], anyOf: undefined, residual: filters, words, by, range };
}

/** Rows without a value are behind all others in ascending order. */
function orderOf({ by, direction }: FindPlan): (of: string) => string {
  const keys = by === "createdAt" ? ["position", "id"] : ["position is null", "position", "id"];
  return (of) => keys.map((key) => `${of}.${key} ${direction}`).join(", ");
}

function afterPart({ direction, after }: FindPlan): Part | string {
  if (!after) return "";
  const past = direction === "asc" ? ">" : "<";
  if (after.by !== null) {
    const none = direction === "asc" ? " or h.position is null" : "";
    return { sql: ` and ((h.position, h.id) ${past} (?, ?)${none})`, slots: ["afterBy", "afterId"] };
  }
  const some = direction === "asc" ? "" : " or h.position is not null";
  return { sql: ` and ((h.position is null and h.id ${past} ?)${some})`, slots: ["afterId"] };
}

function rangePart(table: TableShape, { by, range }: FindPlan): Part {
  const signs = { from: ">=", before: "<", through: "<=" } as const;
  const bounds = Object.entries(signs).filter(([name]) => range[name as keyof typeof signs] !== undefined);
  return join(...bounds.map(([name, sign]) => ({ sql: ` and t."${table.columnOf[by]}" ${sign} ?`, slots: [name] })));
}

function cutOf({ page }: FindPlan): Part {
  return page ? { sql: " limit ? offset ?", slots: ["fetch", "offset"] } : { sql: " limit ?", slots: ["fetch"] };
}

function tenantPart({ tenant }: Dialect): Part {
  return typeof tenant === "string"
    ? { sql: " and t.tenant_id = ?", slots: [tenant] }
    : { sql: ` and t.tenant_id = ${tenant.toString()}`, slots: [] };
}
