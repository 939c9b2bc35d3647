import { type Rows, SqlDues } from "@reeve/store-sql";
import type { Statements } from "./statements.js";

/** Runs a statement on the reading connection, or as a transaction of its own on the writing one. */
export type Runner = (kind: "read" | "write", run: (statements: Statements) => Rows) => Promise<Rows>;

/** When each tenant has something due. Times are those of this machine, which all processes share. */
export function sqliteDues(runner: Runner): SqlDues {
  return new SqlDues({
    table: "reeve_dues",
    now: "cast(unixepoch('subsec') * 1000 as integer)",
    tenants: "json_each(?) as t",
    encode: JSON.stringify,
    run: (sql, ...values) =>
      runner(sql.startsWith("select") ? "read" : "write", (statements) =>
        sql.startsWith("insert") ? none(statements.of(sql).run(values)) : statements.read(sql, ...values),
      ),
  });
}

const none = (_written: unknown): Rows => [];
