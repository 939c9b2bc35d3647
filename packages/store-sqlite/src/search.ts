import { type FindPlan, isShort, type KeyQuery, type KeyRow, mostGathered, type StoredRecord } from "@reeve/core/store";
import {
  cutPart,
  type Dialect,
  fieldColumns,
  foundOf,
  hitsAfter,
  hitsOrder,
  hitsPart,
  holdsPart,
  join,
  keysOf,
  type Part,
  type Queries,
  rowOf,
  type SearchPage,
  searchShape,
  searchValues,
  type Table,
  type TableShape,
} from "@reeve/store-sql";
import { quotedName } from "./names.js";
import type { Statements } from "./statements.js";

/** A tenant's row numbers in a search index start at its number times this. */
const TENANT_SPAN = 2n ** 32n;
/** The most trigrams in a query. More do not narrow it further. */
const MOST_GRAMS = 6;
/** The most words in a query. */
const MOST_WORDS = 3;

/** The number of a row in a search index: the tenant's number in the upper half, the row's own in the lower. */
export function searchRow(tenantNumber: number, n: number): bigint {
  return BigInt(tenantNumber) * TENANT_SPAN + BigInt(n);
}

/** A page of hits in one order, and their total. */
export function searchPage<R extends StoredRecord>(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: Table<R>,
  plan: FindPlan,
): SearchPage<R> | undefined {
  const candidates = candidateNumbers(statements, queries, tenantId, table, plan.words, mostGathered(plan) + 1);
  if (!candidates) return undefined;
  const { dialect } = queries;
  const { key, kept } = searchShape(table, plan);
  const values = { ...searchValues(dialect, tenantId, plan), numbers: JSON.stringify(candidates) };
  const page = queries.shape(`search/page/${key}`, () => dialect.tenantRead(pagePart(dialect, table, plan), kept));
  const rows = statements.rows(page, values);
  const found = foundOf<R>(rows, plan.size, (cells) => rowOf(table, tenantId, cells));
  const isWhole = !plan.page && !plan.after && rows.length <= plan.size;
  if (isWhole) return { ...found, total: { count: rows.length, exact: true } };
  const count = queries.shape(`search/count/${key}`, () =>
    dialect.tenantRead(join("select count(*)", candidateRows(table), hitsPart(dialect, table, plan)), kept),
  );
  return { ...found, total: { count: statements.rows(count, values)[0]?.[0] as number, exact: true } };
}

/** The key fields of the candidate rows. */
export function searchKeys(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  { scan: { words }, fields, limit }: KeyQuery,
): readonly KeyRow[] | undefined {
  const candidates = candidateNumbers(statements, queries, tenantId, table, words, limit);
  if (!candidates) return undefined;
  const { dialect } = queries;
  const keys = queries.shape(`search/keys/${table.key}/${fields}/${Math.min(words.length, 2)}`, () => {
    const columns = join("t.id, ", holdsPart(dialect, words, "t"), ` as hit, ${fieldColumns(table, fields, "t.")}`);
    return dialect.tenantRead(join("select ", columns, candidateRows(table)));
  });
  const values = { tenant: tenantId, numbers: JSON.stringify(candidates) };
  const held = { word: words[0], words: dialect.encodeList(words) };
  return keysOf(table, fields, statements.rows(keys, { ...values, ...held }));
}

/** Sorts the rows before their bodies are fetched. */
function pagePart(dialect: Dialect, table: TableShape, plan: FindPlan): Part {
  const position = `t."${table.columnOf[plan.by]}"`;
  return join(
    `select ${table.row.map((column) => `t.${column}`).join(", ")}, h.position from (select t.n, ${position} as position`,
    ...[candidateRows(table), hitsPart(dialect, table, plan), hitsAfter(plan, position, "t.id")],
    ...[hitsOrder(plan, position, "t.id"), cutPart(plan)],
    `) h cross join ${quotedName(table.name)} t on t.n = h.n`,
  );
}

function candidateRows(table: TableShape): Part {
  const from = ` from json_each(?) c cross join ${quotedName(table.name)} t on t.n = c.value`;
  return { sql: `${from} where t.removed_at is null and t.tenant_id = ?`, slots: ["numbers", "tenant"] };
}

/** The row numbers from the trigram index and of the rows that wait for it; `undefined` when they reach the limit. */
function candidateNumbers(
  statements: Statements,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  words: readonly string[],
  limit: number,
): readonly number[] | undefined {
  const { dialect } = queries;
  const waiting = queries.shape(`search/waiting/${table.key}/${Math.min(words.length, 2)}`, () => {
    const rows = `from reeve_search_pending p cross join ${quotedName(table.name)} t on t.n = p.n`;
    const live = "where p.collection = ? and p.tenant_id = ? and t.removed_at is null and ";
    const some = { sql: `select p.n ${rows} ${live}`, slots: ["collection", "tenant"] };
    return dialect.tenantRead(join(some, holdsPart(dialect, words, "t"), { sql: " limit ?", slots: ["limit"] }));
  });
  const held = { word: words[0], words: dialect.encodeList(words) };
  const pending = statements.rows(waiting, { collection: table.name, tenant: tenantId, limit, ...held });
  const indexed = queries.shape(`search/indexed/${table.key}`, () => {
    const fts = quotedName(`${table.name}_fts`);
    return queries.dialect.tenantRead({
      sql: `select rowid & ${TENANT_SPAN - 1n} from ${fts} where ${fts} match ? and rowid > ? and rowid < ? limit ?`,
      slots: ["match", "first", "end", "limit"],
    });
  });
  // A tenant without a number is in no index. 0 works, because no row has it.
  const number = tenantNumber(statements, tenantId) ?? 0;
  const ends = { first: searchRow(number, 0), end: searchRow(number + 1, 0) };
  const match = matchText(words);
  const hits = (most: number) => statements.rows(indexed, { ...ends, match, limit: most }).map(([n]) => n as number);
  const matching = pending.map(([n]) => n as number);
  const numbers = new Set([...hits(limit), ...matching]);
  if (numbers.size < limit) return [...numbers];
  // The index still has waiting rows as they were, so what was removed or changed since must not fill the limit.
  const stale = waitingNumbers(statements, table.name, tenantId, limit);
  if (stale.size === 0 || stale.size === limit) return undefined;
  const current = new Set([...hits(limit + stale.size).filter((n) => !stale.has(n)), ...matching]);
  return current.size < limit ? [...current] : undefined;
}

/** The numbers of rows that wait to be indexed, at most `limit`. */
function waitingNumbers(
  statements: Statements,
  collection: string,
  tenantId: string,
  limit: number,
): ReadonlySet<number> {
  const text = "select n from reeve_search_pending where collection = ? and tenant_id = ? limit ?";
  return new Set(statements.read(text, collection, tenantId, limit).map(([n]) => n as number));
}

/** The number of a tenant in the search indexes. */
export function tenantNumber(statements: Statements, tenantId: string): number | undefined {
  return statements.read("select no from reeve_search_tenants where tenant_id = ?", tenantId)[0]?.[0] as
    | number
    | undefined;
}

/** Trigrams of the longest words, quoted. Candidates are then checked for the whole words. */
function matchText(words: readonly string[]): string {
  const long = words.filter((word) => !isShort(word)).sort((a, b) => b.length - a.length);
  const asked = long.slice(0, MOST_WORDS);
  const grams = asked.flatMap((word) => gramsOf(word, MOST_GRAMS / asked.length));
  return grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" ");
}

function gramsOf(word: string, most: number): string[] {
  const letters = [...word];
  const all = [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")))];
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, at) => at % step === 0);
}
