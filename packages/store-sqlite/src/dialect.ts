import { createHash } from "node:crypto";
import type { Dialect, Part, Query, TableDialect } from "@reeve/store-sql";
import knex from "knex";
import { databaseName, quotedName } from "./names.js";
import { kernel } from "./schema.js";

const compiler = knex({ client: "better-sqlite3", useNullAsDefault: true });

/** SQL for SQLite. Queries name their index, so that a plan never becomes a full scan. */
export const dialect: Dialect = {
  knex: compiler,
  tenant: "tenant",
  table: quotedName,
  from: (table, index) => compiler.raw("?? indexed by ??", [databaseName(table), databaseName(index)]),
  order: (by, direction) => `"${by}" ${direction}, "id" ${direction}`,
  encode: (value) => (typeof value === "boolean" ? Number(value) : value),
  nullsLast: false,
  mergesSeeks: true,
  rowNumber: "n",
  isThere: (of) => (of === undefined ? "removed_at is null" : `${of}.removed_at is null`),
  oneOf: (column, slot, of) => ({
    sql: `${of === undefined ? "" : `${of}.`}"${column}" in (select value from json_each(?))`,
    slots: [slot],
  }),
  among: (column, { sql, slots }) => ({ sql: `${column} in (${sql})`, slots }),
  holdsOne: (column, slot, texts, of) => {
    const held = `${of}."${column}"`;
    const sql =
      texts === "one"
        ? `instr(${held}, ?) > 0`
        : `exists (select 1 from json_each(?) w where instr(${held}, w.value) > 0)`;
    return { sql, slots: [slot] };
  },
  encodeList: (values) => JSON.stringify(values.map((value) => (typeof value === "boolean" ? Number(value) : value))),
  holds: (slot, of) => {
    const text = of === undefined ? "search_text" : `${of}.search_text`;
    const sql =
      slot === "word"
        ? `instr(${text}, ?) > 0`
        : `not exists (select 1 from json_each(?) w where instr(${text}, w.value) = 0)`;
    return { sql, slots: [slot] };
  },
  rowsByKeys: ({ table, index, columns }, selected) => {
    const rows = selected.map((column) => `t."${column}"`).join(", ");
    const held = columns.map(([column], at) => ` and t."${column}" = json_extract(k.value, '$[${at}]')`).join("");
    return {
      sql: `select ${rows}, k.key as place from json_each(?) k cross join ${quotedName(table)} t indexed by ${quotedName(index)} where t.tenant_id = ?${held} and t.removed_at is null`,
      slots: ["keys", "tenant"],
    };
  },
  encodeKeys: (values) => ({
    keys: JSON.stringify(values.map((key) => key.map((value) => (typeof value === "boolean" ? Number(value) : value)))),
  }),
  newestPerKey: ({ table, index, column }, selected) => {
    const rows = selected.map((name) => `t."${name}"`).join(", ");
    const order = (alias: string) => `${alias}.created_at desc, ${alias}.id desc`;
    const held = `i.tenant_id = ? and i."${column}" = k.value and i.removed_at is null`;
    const newest = `select i.n from ${quotedName(table)} i indexed by ${quotedName(index)} where ${held} order by ${order("i")} limit ?`;
    return {
      sql: `select ${rows}, k.value as held from json_each(?) k cross join ${quotedName(table)} t where t.n in (${newest}) order by k.key, ${order("t")}`,
      slots: ["values", "tenant", "size"],
    };
  },
  change: finish,
  searchFilled: (table) => ({
    sql: `insert into reeve_search_pending (collection, tenant_id, n) select '${table}', tenant_id, n from ${quotedName(table)} where tenant_id = ? and id = ? on conflict do update set n = n returning n`,
    slots: ["tenant", "id"],
  }),
  tenantRead: finish,
  platformRead: finish,
};

/**
 * SQLite recompiles a statement at every binding if a bare parameter follows `limit`. With an expression it does not.
 */
function finish(part: Part): Query {
  const sql = part.sql.replaceAll(/\b(limit|offset) \?/g, "$1 (? + 0)");
  const { slots } = part;
  return { sql, slots, name: createHash("sha256").update(sql).digest("hex").slice(0, 16) };
}

/** Tables for SQLite, with a row number for the search index and text compared by bytes. */
export const tableDialect: TableDialect = {
  table: quotedName,
  index: quotedName,
  types: { text: "TEXT", texts: "TEXT", time: "TEXT", integer: "INTEGER", boolean: "INTEGER" },
  text: "TEXT",
  lead: ["n INTEGER PRIMARY KEY"],
  primaryKey: "UNIQUE (tenant_id, id)",
  kernel,
  after: ({ name, searchable }) =>
    searchable
      ? [
          `CREATE VIRTUAL TABLE ${quotedName(`${name}_fts`)} USING fts5(text, content='', contentless_delete=1, detail='none', tokenize='trigram case_sensitive 1')`,
        ]
      : [],
};
