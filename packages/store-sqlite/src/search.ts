import { isShort, type KeyQuery, type KeyRow } from "@reeve/core/store";
import { fieldColumns, holdsPart, join, keysOf, type Part, type Queries, type TableShape } from "@reeve/store-sql";
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

/** Keys of the rows that the trigram index finds, and of those that wait to be in it; `undefined` when they reach the limit. */
export function searchKeys(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  { scan: { words }, fields, limit }: KeyQuery,
): readonly KeyRow[] | undefined {
  // A tenant without a number has nothing in any index: no row has the number 0.
  const number = tenantNumber(statements, tenantId) ?? 0;
  const list = queries.dialect.encodeList(words);
  const values = {
    ...{ tenant: tenantId, collection: table.name, limit, match: matchText(words), word: words[0], words: list },
    ...{ first: searchRow(number, 0), end: searchRow(number + 1, 0) },
  };
  const candidates = candidatesOf(table);
  const count = queries.shape(`search/candidates/${table.name}`, () =>
    queries.dialect.tenantRead(join("select count(*) from (", candidates, ")")),
  );
  if ((statements.rows(count, values)[0]?.[0] as number) >= limit) return undefined;
  const keys = queries.shape(`search/keys/${table.name}/${fields}/${Math.min(words.length, 2)}`, () => {
    const columns = join(
      "t.id, ",
      holdsPart(queries.dialect, words, "t"),
      ` as hit, ${fieldColumns(table, fields, "t.")}`,
    );
    const live = { sql: " where t.removed_at is null and t.tenant_id = ?", slots: ["tenant"] };
    const rows = join(
      "select ",
      columns,
      " from (",
      candidates,
      `) c cross join ${quotedName(table.name)} t on t.n = c.n`,
      live,
    );
    return queries.dialect.tenantRead(rows);
  });
  return keysOf(table, fields, statements.rows(keys, values));
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
