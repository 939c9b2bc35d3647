import type { FindPlan, Found, KeyQuery, KeyRow, StoredRecord, Total } from "@reeve/core/store";
import type { Dialect, Part } from "./dialect.js";
import { join } from "./dialect.js";
import { keptOf } from "./page-queries.js";
import { residualPart, scanKey } from "./scan.js";
import type { Table, TableShape } from "./table.js";
import { scanValues } from "./values.js";

/** A page of a search of which all hits were looked at, so that the total is exact. */
export interface SearchPage<R extends StoredRecord> extends Found<R> {
  readonly total: Total;
}

/** How a database finds words by an index; `undefined` when it has none, or as many rows as the limit may hold them. */
export interface Search {
  /** A page in one order. */
  page<R extends StoredRecord>(tenantId: string, table: Table<R>, plan: FindPlan): Promise<SearchPage<R> | undefined>;
  /** What rows that may be hits are filtered and ordered by. */
  keys<R extends StoredRecord>(
    tenantId: string,
    table: Table<R>,
    query: KeyQuery,
  ): Promise<readonly KeyRow[] | undefined>;
}

/** Tests of rows `t` that may be hits: each begins with ` and `. No index of theirs is needed, so every filter is asked. */
export function hitsPart(dialect: Dialect, table: TableShape, plan: FindPlan): Part {
  const { by, range } = plan;
  const signs = { from: ">=", before: "<", through: "<=" } as const;
  const bounds = Object.entries(signs).filter(([name]) => range[name as keyof typeof signs] !== undefined);
  return join(
    residualPart(dialect, table, tested(plan), "t"),
    ...bounds.map(([name, sign]) => ({ sql: ` and t."${table.columnOf[by]}" ${sign} ?`, slots: [name] })),
  );
}

/** The order of `<of>.position` and `<of>.id`; rows without a value are behind all others in ascending order. */
export function hitsOrder({ by, direction }: FindPlan, position: string, id: string): string {
  const keys = by === "createdAt" ? [position, id] : [`${position} is null`, position, id];
  return ` order by ${keys.map((key) => `${key} ${direction}`).join(", ")}`;
}

/** The hits behind the position of a cursor: begins with ` and `, or is empty. */
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

/** What makes the texts of two searches the same, and whether there are few such texts. */
export function searchShape(
  table: TableShape,
  plan: FindPlan,
): { readonly key: string; readonly kept: "kept" | "once" } {
  const scan = tested(plan);
  return { key: `${scanKey(table, scan, plan)}/${plan.page ? "offset" : ""}`, kept: keptOf(scan) };
}

/** The slots of a page of hits. */
export function searchValues(dialect: Dialect, tenantId: string, plan: FindPlan): Record<string, unknown> {
  const { size, after } = plan;
  const window = { fetch: size + 1, offset: (plan.page ?? 0) * size, afterBy: after?.by, afterId: after?.id };
  return Object.assign(scanValues(dialect, tenantId, tested(plan)), window);
}

function tested({ filters, words, by, range }: FindPlan) {
  return { index: { where: [] }, where: [], anyOf: undefined, residual: filters, words, by, range };
}
