import type { AnyOf, FieldValue, Scan } from "@reeve/core/store";
import { type Dialect, join, type Part } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";
import { indexName } from "../schema/table-spec.js";

/** The possible numbers of seeks. Few numbers mean few statements; surplus seeks find nothing. */
const SEEKS = [2, 4, 8];

/** The rows that an index finds. */
export type Sought = Pick<Scan, "index" | "where" | "anyOf" | "by"> & Partial<Pick<Scan, "range">>;

/** The part of an order to read: after `after`, up to and including `to`. */
export interface Ends {
  readonly direction: "asc" | "desc";
  readonly after?: { readonly by: FieldValue } | undefined;
  readonly to?: { readonly by: FieldValue } | undefined;
}

/** What is selected, with the names of the columns. */
export interface Columns {
  readonly part: Part;
  readonly names: readonly string[];
}

/** The number of seeks for a filter of several values. */
export function seeksOf(anyOf: AnyOf | undefined): number {
  return anyOf ? (SEEKS.find((seeks) => seeks >= anyOf[1].length) ?? anyOf[1].length) : 0;
}

/**
 * Rows of the tenant in the order of an index, without removed ones, up to the slot `limit`: `select <columns> …`. The
 * columns must include `id` and `position`, the order value.
 */
export function scanPart(
  dialect: Dialect,
  table: TableShape,
  scan: Sought,
  ends: Ends,
  columns: Columns,
  limit: string,
): Part {
  const by = table.columnOf[scan.by] as string;
  const up = ends.direction === "asc" ? "asc" : "desc";
  const cut: Part = { sql: " limit ?", slots: [limit] };
  const halves = valueAndNullHalves(dialect, scan, by, ends).map((half): Part => {
    const seeks = seeksOf(scan.anyOf);
    const base = join("select ", columns.part, ...fromRows(dialect, table, scan), ...half);
    if (!scan.anyOf) return join(base, ` order by ${dialect.order(by, up)}`, cut);
    const column = table.columnOf[scan.anyOf[0]];
    const arms = Array.from({ length: seeks }, (_none, at): (Part | string)[] => {
      const arm = [base, { sql: ` and "${column}" = ?`, slots: [`a${at}`] }];
      const alone = dialect.mergesSeeks ? arm : ["(", ...arm, ` order by ${dialect.order(by, up)}`, cut, ")"];
      return [at === 0 ? "" : " union all ", ...alone];
    });
    return join(...arms.flat(), ` order by ${dialect.order("position", up)}`, cut);
  });
  const [first, second] = halves as [Part, Part | undefined];
  if (!second) return first;
  const both = join("select 0 as half, h.* from (", first, ") h union all select 1 as half, h.* from (", second, ") h");
  return join(
    `select ${columns.names.map((name) => `u."${name}"`).join(", ")} from (`,
    both,
    `) u order by half, ${dialect.order("position", up)}`,
    cut,
  );
}

/** The rows without an order, for counts: ` from … where …`. */
export function fromRows(dialect: Dialect, table: TableShape, { index, where, range = {}, by }: Sought): Part[] {
  const columns = {
    where: index.where.map((field) => table.columnOf[field] as string),
    by: table.columnOf[index.by ?? "createdAt"] as string,
  };
  const { knex, tenant } = dialect;
  const rows = knex.from(dialect.from(table.name, indexName(table.name, columns)));
  rows.where("tenant_id", tenant).whereNull("removed_at");
  for (const [at, [field, value]] of where.entries()) {
    if (value === null) rows.whereNull(table.columnOf[field] as string);
    else rows.where(table.columnOf[field] as string, `w${at}`);
  }
  const ordered = table.columnOf[by] as string;
  if (range.from !== undefined) rows.where(ordered, ">=", "from");
  if (range.before !== undefined) rows.where(ordered, "<", "before");
  if (range.through !== undefined) rows.where(ordered, "<=", "through");
  const { sql, bindings } = rows.toSQL();
  return [{ sql: sql.replace(/^select \*/, ""), slots: bindings as readonly string[] }];
}

/** The filters that an index does not cover, as conditions on `of`. Each begins with ` and `. */
export function residualPart(dialect: Dialect, table: TableShape, { residual, words }: Scan, of: string): Part {
  const filters = residual.map((filter, at): Part => {
    const [field, values, type] = filter;
    const [column, slot] = [table.columnOf[field] as string, `r${at}`];
    const isOne = isOneValue(filter);
    if (isOne && type === undefined) return { sql: ` and ${of}."${column}" = ?`, slots: [slot] };
    const passes =
      type === "texts"
        ? dialect.holdsOne(column, slot, isOne ? "one" : "several", of)
        : dialect.oneOf(column, slot, of);
    return join(" and (", passes, values.includes(null) ? ` or ${of}."${column}" is null)` : ")");
  });
  return join(...filters, ...(words.length === 0 ? [] : [" and ", holdsPart(dialect, words, of)]));
}

/** Whether a filter has a single value, which needs no list. */
export function isOneValue([, values]: AnyOf): boolean {
  return values.length === 1 && values[0] !== null;
}

/** Tests whether the search text contains all words. */
export function holdsPart(dialect: Dialect, words: readonly string[], of?: string): Part {
  return dialect.holds(words.length === 1 ? "word" : "words", of);
}

/** A key that is equal for scans of equal SQL. */
export function scanKey(table: TableShape, scan: Sought & Partial<Scan>, ends?: Ends): string {
  const { index, where, anyOf, by, range = {}, residual = [], words = [] } = scan;
  let [held, others, bounds] = ["", "", ""];
  for (const [field, value] of where) held += value === null ? `${field}=null,` : `${field},`;
  for (const filter of residual) {
    const [field, values] = filter;
    others += `${field}${values.includes(null) ? "?" : ""}${isOneValue(filter) ? "=" : ""},`;
  }
  for (const [name, bound] of Object.entries(range)) if (bound !== undefined) bounds += `${name},`;
  const side = (end: Ends["to"]) => (end ? (end.by === null ? "none" : "some") : "");
  const seek = ends ? `${ends.direction},${side(ends.after)},${side(ends.to)}` : "";
  const several = anyOf ? `${anyOf[0]}*${seeksOf(anyOf)}` : "";
  const sought = `${index.where}/${index.by ?? ""}/${held}/${several}/${by}/${bounds}`;
  return `${table.key}/${sought}/${others}/${Math.min(words.length, 2)}/${seek}`;
}

/** Rows with a value and rows with `null`, in order. Each half has the conditions of the ends. */
function valueAndNullHalves(
  dialect: Dialect,
  { by, range = {} }: Sought,
  column: string,
  { direction, after, to }: Ends,
): Part[][] {
  const up = direction === "asc";
  const isBounded = Object.values(range).some((bound) => bound !== undefined);
  const hasNone = by !== "createdAt" && !isBounded;
  if (hasNone && dialect.nullsLast && !after && !to) return [[]];
  const [past, upTo] = up ? [">", "<="] : ["<", ">="];
  const some: Part[] = [];
  if (after && after.by !== null)
    some.push({ sql: ` and ("${column}", "id") ${past} (?, ?)`, slots: ["afterBy", "afterId"] });
  if (to && to.by !== null) some.push({ sql: ` and ("${column}", "id") ${upTo} (?, ?)`, slots: ["toBy", "toId"] });
  if (hasNone && some.length === 0) some.push({ sql: ` and "${column}" is not null`, slots: [] });
  const none: Part[] = [{ sql: ` and "${column}" is null`, slots: [] }];
  if (after?.by === null) none.push({ sql: ` and "id" ${past} ?`, slots: ["afterId"] });
  if (to?.by === null) none.push({ sql: ` and "id" ${upTo} ?`, slots: ["toId"] });
  const isLeft = (half: "some" | "none") => {
    const isFirst = (half === "some") === up;
    const lies = (end: Ends["to"]) => end !== undefined && (end.by !== null) !== (half === "some");
    return isFirst ? !lies(after) : !lies(to);
  };
  const halves = [...(isLeft("some") ? [some] : []), ...(hasNone && isLeft("none") ? [none] : [])];
  return up ? halves : halves.reverse();
}
