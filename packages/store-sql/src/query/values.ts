import type { CountPlan, FieldValue, FindPlan, KeyQuery, planLookup, Scan } from "@reeve/core/store";
import type { Dialect, Values } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";
import { isOneValue, seeksOf } from "./scan.js";

/** The slots of a lookup by unique key. */
export function lookupValues(
  dialect: Dialect,
  tenantId: string,
  where: NonNullable<ReturnType<typeof planLookup>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = { tenant: tenantId };
  for (const [at, [, value]] of where.entries()) values[`w${at}`] = dialect.encode(value);
  return values;
}

/** The slots of a scan and of its residual filters. */
export function scanValues(
  dialect: Dialect,
  tenantId: string,
  { where, anyOf, words, residual = [], range = {} }: KeyQuery["scan"] & Partial<Scan>,
): Record<string, unknown> {
  const values = lookupValues(dialect, tenantId, where);
  const seeks = seeksOf(anyOf);
  for (let at = 0; at < seeks; at++) values[`a${at}`] = dialect.encode(anyOf?.[1][at] ?? null);
  if (anyOf) values.any = listOf(dialect, anyOf[1]);
  for (const [at, filter] of residual.entries())
    values[`r${at}`] = isOneValue(filter) ? dialect.encode(filter[1][0] ?? null) : listOf(dialect, filter[1]);
  if (words.length === 1) values.word = words[0];
  if (words.length > 1) values.words = dialect.encodeList(words);
  values.from = range.from;
  values.before = range.before;
  values.through = range.through;
  return values;
}

/** The slots of a page. */
export function findValues(dialect: Dialect, tenantId: string, plan: FindPlan): Record<string, unknown> {
  const { size, bound, after } = plan;
  const offset = (plan.page ?? 0) * size;
  const values = scanValues(dialect, tenantId, plan);
  if (after) {
    values.afterBy = after.by;
    values.afterId = after.id;
  }
  return Object.assign(values, {
    size,
    offset,
    fetch: size + 1,
    reach: offset + size + 1,
    bound,
    beyond: bound + 1,
    edge: bound - 1,
  });
}

/** The slots of keys. */
export function keyValues(
  dialect: Dialect,
  tenantId: string,
  { scan, limit, run = {} }: KeyQuery,
): Record<string, unknown> {
  const { from, to } = run;
  const ends = { afterBy: from?.by, afterId: from?.id, toBy: to?.by, toId: to?.id };
  return { ...scanValues(dialect, tenantId, scan), ...ends, limit };
}

/** Whether a total is a single counter, which needs no list. */
export function isOneCounter(total: CountPlan): boolean {
  return total.from === "total" || (total.from === "counters" && total.values.length === 1);
}

/** Part of a statement's key: the form in which counters of a total are asked for. */
export function counterKey(total: CountPlan): string {
  if (total.from !== "combinations") return isOneCounter(total) ? "counter" : "counters";
  return `combinations/${total.marks.map((marks) => (marks.length === 1 ? "one" : "several"))}`;
}

/** The slots that name the counters of a total. */
export function counterValues(dialect: Dialect, tenantId: string, table: TableShape, total: CountPlan): Values {
  if (total.from === "combinations") {
    const marks = total.marks.map((some, at) => [`m${at}`, some.length === 1 ? some[0] : dialect.encodeList(some)]);
    return { tenant: tenantId, collection: table.name, field: total.field, ...Object.fromEntries(marks) };
  }
  const [field, values] = total.from === "counters" ? [total.field, total.values.map(String)] : ["", [""]];
  const counter = { tenant: tenantId, collection: table.name, field };
  return isOneCounter(total) ? { ...counter, value: values[0] } : { ...counter, values: dialect.encodeList(values) };
}

function listOf(dialect: Dialect, wanted: readonly FieldValue[]): unknown {
  return dialect.encodeList(wanted.filter((value) => value !== null));
}
