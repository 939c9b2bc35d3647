import type { FindPlan, Found, KeyQuery, KeyRow, StoredRecord, Total } from "@reeve/core/store";
import { type Dialect, join, type Part } from "../schema/dialect.js";
import type { Table, TableShape } from "../schema/table.js";
import { keptOf } from "./page-queries.js";
import { residualPart, scanKey } from "./scan.js";
import { scanValues } from "./values.js";

/** A page of a search that examined all hits, so the total is exact. */
export interface SearchPage<R extends StoredRecord> extends Found<R> {
  readonly total: Total;
}

/**
 * Search by an index of a database. `undefined` when there is none, or when the number of candidates reaches the limit.
 */
export interface Search {
  /** A page in one order. */
  page<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<SearchPage<R> | undefined>;
  /** The filter and order fields of candidate rows. */
  keys<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    query: KeyQuery,
  ): Promise<readonly KeyRow[] | undefined>;
}

/**
 * Conditions on candidate rows `t`, each beginning with ` and `. They include every filter, because no other index is
 * used.
 */
export function hitsPart(dialect: Dialect, table: TableShape, plan: FindPlan): Part {
  const { by, range } = plan;
  const signs = { from: ">=", before: "<", through: "<=" } as const;
  const bounds = Object.entries(signs).filter(([name]) => range[name as keyof typeof signs] !== undefined);
  return join(
    residualPart(dialect, table, tested(plan), "t"),
    ...bounds.map(([name, sign]) => ({ sql: ` and t."${table.columnOf[by]}" ${sign} ?`, slots: [name] })),
  );
}

/** The order by `<of>.position` and `<of>.id`. Rows with `null` are last in ascending order. */
export function hitsOrder({ by, direction }: FindPlan, position: string, id: string): string {
  const keys = by === "createdAt" ? [position, id] : [`${position} is null`, position, id];
  return ` order by ${keys.map((key) => `${key} ${direction}`).join(", ")}`;
}

/** The condition for hits after a cursor's position. Begins with ` and `, or is empty. */
export function hitsAfter({ direction, after }: FindPlan, position: string, id: string): Part | string {
  if (!after) return "";
  const isUp = direction === "asc";
  const past = isUp ? ">" : "<";
  if (after.by === null) {
    const some = isUp ? "" : ` or ${position} is not null`;
    return { sql: ` and ((${position} is null and ${id} ${past} ?)${some})`, slots: ["afterId"] };
  }
  const none = isUp ? ` or ${position} is null` : "";
  return { sql: ` and ((${position}, ${id}) ${past} (?, ?)${none})`, slots: ["afterBy", "afterId"] };
}

/** A key that is equal for searches of equal SQL, and whether to keep the statement prepared. */
export function searchShape(
  table: TableShape,
  plan: FindPlan,
): { readonly key: string; readonly kept: "kept" | "once" } {
  const scan = tested(plan);
  return { key: `${scanKey(table, scan, plan)}/${plan.page ? "offset" : ""}`, kept: keptOf(scan) };
}

/** The slots of a search page. */
export function searchValues(dialect: Dialect, tenantId: string, plan: FindPlan): Record<string, unknown> {
  const { size, after } = plan;
  const window = { fetch: size + 1, offset: (plan.page ?? 0) * size, afterBy: after?.by, afterId: after?.id };
  return Object.assign(scanValues(dialect, tenantId, tested(plan)), window);
}

function tested({ filters, words, by, range }: FindPlan) {
  return { index: { where: [] }, where: [], anyOf: undefined, residual: filters, words, by, range };
}
