import type { Dialect, Part, Query, TableDialect } from "@reeve/store-sql";
import knex from "knex";
import { qualified } from "./namespace.js";
import { afterTable, kernel } from "./schema.js";
import { statementName } from "./statement-name.js";

const compiler = knex({ client: "pg" });

const LIST_TYPES = {
  text: "text[]",
  texts: "text[]",
  time: "text[]",
  integer: "bigint[]",
  boolean: "boolean[]",
} as const;

/**
 * SQL for PostgreSQL. Each read sets the tenant for row-level security itself, in the same round trip, and seeks its rows
 * by the same parameter, which tells a cluster where they are. Without a tenant no rows are visible.
 */
export const dialect: Dialect = {
  knex: compiler,
  tenant: "tenant",
  table: qualified,
  from: (table) => compiler.raw(qualified(table)),
  order: (by, direction) => `"${by}" ${direction}, "id" ${direction}`,
  encode: (value) => value,
  nullsLast: true,
  mergesSeeks: false,
  rowNumber: undefined,
  // Not the condition of the partial indexes, which the planner takes for nearly empty until it has statistics.
  isThere: (of) => `coalesce(${of === undefined ? "" : `${of}.`}removed_at, '') = ''`,
  oneOf: (column, slot, of) => ({ sql: `${of === undefined ? "" : `${of}.`}"${column}" = any(?)`, slots: [slot] }),
  among: (column, { sql, slots }) => ({ sql: `${column} = any(array(${sql}))`, slots }),
  holdsOne: (column, slot, texts, of) => {
    const held = `${of}."${column}"`;
    const sql =
      texts === "one"
        ? `strpos(${held}, ?) > 0`
        : `exists (select from unnest(?::text[]) w(mark) where strpos(${held}, w.mark) > 0)`;
    return { sql, slots: [slot] };
  },
  encodeList: (values) => values,
  holds: (slot, of) => {
    const text = of === undefined ? "search_text" : `${of}.search_text`;
    const sql =
      slot === "word"
        ? `strpos(${text}, ?) > 0`
        : `not exists (select from unnest(?::text[]) w(word) where strpos(${text}, w.word) = 0)`;
    return { sql, slots: [slot] };
  },
  rowsByKeys: ({ table, columns }, selected) => {
    const slots = columns.map((_, at) => `k${at}`);
    const key = quoted(columns.map(([column]) => column));
    const value = slots.map((slot) => `k.${slot}`).join(", ");
    const lists = columns.map(([, type]) => `?::${LIST_TYPES[type]}`).join(", ");
    // Bounds with an order in place of an equality. Only the key's own index has that order, so the planner must use
    // it, even if its statistics are of an empty table.
    const bounds = `(${key}) >= (${value}) and (${key}) <= (${value})`;
    const seek = `select ${quoted(selected)} from ${qualified(table)} where tenant_id = ? and ${bounds} and removed_at is null order by ${key} limit 1`;
    return {
      sql: `select t.*, k.place - 1 as place from unnest(${lists}) with ordinality as k(${slots.join(", ")}, place) cross join lateral (${seek}) t`,
      slots: [...slots, "tenant"],
    };
  },
  encodeKeys: (values) =>
    Object.fromEntries((values[0] ?? []).map((_, at) => [`k${at}`, values.map((key) => key[at])])),
  newestPerKey: ({ table, column }, selected) => {
    const newest = `select ${quoted(selected)}, created_at from ${qualified(table)} where tenant_id = ? and "${column}" = k.value and removed_at is null order by created_at desc, id desc limit ?::integer`;
    const rows = selected.map((name) => `t."${name}"`).join(", ");
    return {
      sql: `select ${rows}, k.value as held from unnest(?::text[]) with ordinality as k(value, place) cross join lateral (${newest}) t order by k.place, t.created_at desc, t.id desc`,
      slots: ["values", "tenant", "size"],
    };
  },
  change: finish,
  tenantRead: (part, kept) => {
    const query = finish(within("select set_config('reeve.tenant', ?, true) as tenant", ["tenant"], part, "s.tenant"));
    return kept === "once" ? { ...query, name: "" } : query;
  },
  platformRead: (part) => ({
    ...finish(within("select set_config('reeve.platform', 'on', true) as open", [], part, "s.open")),
    across: finish(part).sql,
  }),
};

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

/**
 * Rows wait for the setting, as a condition on its result stands before them. `offset 0` keeps the planner from moving
 * that away from them, and from mixing it with their own conditions, which it may test in any order.
 */
function within(setting: string, slots: readonly string[], part: Part, done: string): Part {
  const fence = /limit (\d+|\?)( offset \?)?$/.test(part.sql) ? "" : " offset 0";
  const rows = `select p.* from (${part.sql}${fence}) p where ${done} is not null offset 0`;
  return {
    sql: `select x.* from (${setting} offset 0) s cross join lateral (${rows}) x`,
    slots: [...slots, ...part.slots],
  };
}

/** Numbers the parameters by slot. */
function finish(part: Part): Query {
  const slots = [...new Set(part.slots)];
  let at = 0;
  const sql = part.sql.replaceAll("?", () => `$${slots.indexOf(part.slots[at++] as string) + 1}`);
  return { sql, slots, name: statementName(sql) };
}

const text = 'text COLLATE "C"';

/** Tables for PostgreSQL, with text compared by bytes. */
export const tableDialect: TableDialect = {
  table: qualified,
  // An index is always in the schema of its table.
  index: (name) => `"${name}"`,
  types: { text, texts: text, time: text, integer: "bigint", boolean: "boolean" },
  text,
  lead: [],
  primaryKey: "PRIMARY KEY (tenant_id, id)",
  kernel,
  after: afterTable,
};
