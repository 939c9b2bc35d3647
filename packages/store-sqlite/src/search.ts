import { isShort } from "@reeve/core/store";
import { join, type Part, type SearchCandidates, type TableShape, type Values } from "@reeve/store-sql";
import { quotedName } from "./names.js";
import type { Statements } from "./statements.js";

/** Row numbers of one tenant in a search index start here, times the tenant's number. */
const TENANT_SPAN = 2n ** 32n;
/** More trigrams of a word than this narrow a search no further. */
const MOST_GRAMS = 6;
/** Nor do more words. */
const MOST_WORDS = 4;

/** The number of a row in a search index: the tenant's number above, the row's own below. */
export function searchRow(tenantNumber: number, n: number): bigint {
  return BigInt(tenantNumber) * TENANT_SPAN + BigInt(n);
}

/** The rows that the trigram index finds, and those that wait to be in it. */
export function trigramCandidates(table: TableShape): SearchCandidates {
  const count = "select count(*) from c";
  const from = ` from c cross join ${quotedName(table.name)} t on t.n = c.n`;
  const live = { sql: " where t.removed_at is null and t.tenant_id = ?", slots: ["tenant"] };
  const few = { sql: ` and (${count}) < ?`, slots: ["limit"] };
  return { found: candidatesOf(table), count, rows: join(from, live, few), key: "n" };
}

/** The slots of the candidates. */
export function trigramValues(
  statements: Statements,
  tenantId: string,
  table: TableShape,
  words: readonly string[],
): Values {
  // A tenant without a number has nothing in any index: no row has the number 0.
  const number = tenantNumber(statements, tenantId) ?? 0;
  const rows = { first: searchRow(number, 0), end: searchRow(number + 1, 0) };
  return { ...rows, tenant: tenantId, collection: table.name, match: matchText(words) };
}

/** Rows that wait are read for themselves: one that was removed may still be in the index. */
function candidatesOf(table: TableShape): Part {
  const fts = quotedName(`${table.name}_fts`);
  const waiting = "from reeve_search_pending p where p.collection = ? and p.tenant_id = ?";
  const n = `rowid & ${TENANT_SPAN - 1n}`;
  const hits = {
    sql: `select ${n} as n from ${fts} where ${fts} match ? and rowid > ? and rowid < ? and ${n} not in (select p.n ${waiting}) limit ?`,
    slots: ["match", "first", "end", "collection", "tenant", "limit"],
  };
  const live = `exists (select 1 from ${quotedName(table.name)} t where t.n = p.n and t.removed_at is null)`;
  const others = { sql: `select p.n ${waiting} and ${live} limit ?`, slots: ["collection", "tenant", "limit"] };
  return join("select n from (", hits, ") union all select n from (", others, ")");
}

/** The number of a tenant in the search indexes. */
export function tenantNumber(statements: Statements, tenantId: string): number | undefined {
  return statements.read("select no from reeve_search_tenants where tenant_id = ?", tenantId)[0]?.[0] as
    | number
    | undefined;
}

/** Trigrams of the longest words, each as a quoted string; the rows found are checked against the whole words. */
function matchText(words: readonly string[]): string {
  const long = words.filter((word) => !isShort(word)).sort((a, b) => b.length - a.length);
  const grams = long.slice(0, MOST_WORDS).flatMap(gramsOf);
  return grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" ");
}

function gramsOf(word: string): string[] {
  const letters = [...word];
  const all = [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")))];
  const step = Math.max(1, Math.ceil(all.length / MOST_GRAMS));
  return all.filter((_, at) => at % step === 0);
}
