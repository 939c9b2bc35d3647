import { type Query, type Rows, SqlDues } from "@reeve/store-sql";
import type { Session } from "../connect/session.js";
import { beginStep, commitStep, openStep, stepOf } from "../connect/steps.js";
import { dialect } from "../statement/dialect.js";

/**
 * When each tenant has something due. A look-up is one statement that may see all tenants, a change is a transaction
 * that may, in one round trip.
 */
export function postgresDues(
  withSession: (step: (session: Session) => Promise<Rows>, mode: "read" | "write") => Promise<Rows>,
): SqlDues {
  const steps = new Map<string, ReturnType<typeof stepOf>>();
  const stepFor = (sql: string) => {
    let at = 0;
    const step = steps.get(sql) ?? stepOf(sql.replaceAll("?", () => `$${++at}`));
    steps.set(sql, step);
    return step;
  };
  const queries = new Map<string, Query>();
  const queryFor = (sql: string, values: readonly unknown[]) => {
    const query = queries.get(sql) ?? dialect.platformRead({ sql, slots: [...values.keys()].map(String) });
    queries.set(sql, query);
    return query;
  };
  return new SqlDues({
    table: '"reeve".dues',
    now: "floor(extract(epoch from statement_timestamp()) * 1000)::bigint",
    tenants: "unnest(?::text[]) as t(value)",
    encode: (tenantIds) => tenantIds,
    run: (sql, ...values) => {
      if (sql.startsWith("select"))
        return withSession((session) => session.rows(queryFor(sql, values), { ...values }), "read");
      return withSession(async (session) => {
        const step = { ...stepFor(sql)(session), values };
        const answers = await session.send([beginStep(session), openStep(session), step, commitStep(session)]);
        return answers[2]?.rows ?? [];
      }, "write");
    },
  });
}
