import { isShort } from "@reeve/core/store";
import { join, type SearchCandidates, type TableShape, type Values } from "@reeve/store-sql";
import { searchFunction } from "./grants.js";
import { qualified } from "./namespace.js";

/**
 * The rows that hold the longest word, of which a function finds the ids. It answers with empty ids when they are too many to
 * be worth finding.
 */
export function candidatesByFunction(table: TableShape): SearchCandidates {
  const from = ` from c cross join ${qualified(table.name)} t where t.tenant_id = s.tenant and t.removed_at is null`;
  const few = { sql: " and t.id = any(c.ids) and cardinality(c.ids) < ?::integer", slots: ["limit"] };
  return {
    // Asked for behind the tenant, which it reads from the session.
    found: {
      sql: `select array(select ${searchFunction(table.name)}(?, ?, ?) where s.tenant is not null) as ids`,
      slots: ["term", "pattern", "limit"],
    },
    count: "select cardinality(ids) from c",
    rows: join(from, few),
    key: "id",
  };
}

/** The slots of the candidates. */
export function termValues(tenant: string, words: readonly string[]): Values {
  const [term = ""] = words.filter((word) => !isShort(word)).sort((a, b) => b.length - a.length);
  return { tenant, term, pattern: `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%` };
}
