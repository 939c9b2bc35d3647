import type { KeyQuery, KeyRow, StoredRecord } from "@reeve/core/store";
import type { Access } from "./access.js";
import { join, type Part, type Values } from "./dialect.js";
import { keysOf } from "./keys.js";
import { fieldColumns } from "./page-queries.js";
import { holdsPart } from "./scan.js";
import type { Table, TableShape } from "./table.js";

/** How a database finds the rows that may hold words: as the common table `c` of a statement. */
export interface SearchCandidates {
  /** What `c` holds: the candidates, cut at the slot `limit` or not far behind it. */
  readonly found: Part;
  /** A query for the number of candidates. */
  readonly count: string;
  /** The live rows `t` of the candidates, none where they reach the limit: ` from … where …`. */
  readonly rows: Part;
  /** The column by which a row is fetched again. */
  readonly key: string;
}

/** The index of a database for words. */
export interface SearchIndex {
  candidates(table: TableShape): SearchCandidates;
  /** The slots of the candidates but `limit`; `undefined` when there is no index. */
  values(tenantId: string, table: TableShape, words: readonly string[]): Promise<Values | undefined>;
}

/** Keys of the rows that may hold the words; `undefined` when no index tells, or they reach the limit. */
export async function searchKeys<R extends StoredRecord>(
  { queries, search, rows }: Access,
  tenantId: string,
  table: Table<R>,
  { scan: { words }, fields, limit }: KeyQuery,
): Promise<readonly KeyRow[] | undefined> {
  const candidates = await search.values(tenantId, table, words);
  if (!candidates) return undefined;
  const { dialect } = queries;
  const query = queries.shape(`search/keys/${table.name}/${fields}/${Math.min(words.length, 2)}`, () => {
    const { found, count, rows: from } = search.candidates(table);
    const columns = join("t.id, ", holdsPart(dialect, words, "t"), ` as hit, ${fieldColumns(table, fields, "t.")}`);
    const keys = join("with c as materialized (", found, "), k as (select ", columns, from, ") ");
    return dialect.tenantRead(
      join(keys, `select k.*, z.n from (select (${count}) as n) z left join k on 1 = 1`),
      "once",
    );
  });
  const list = dialect.encodeList(words);
  const found = await rows(query, { ...candidates, limit, word: words[0], words: list });
  if ((found[0]?.at(-1) as number) >= limit) return undefined;
  return keysOf(
    table,
    fields,
    found.filter(([id]) => id !== null),
  );
}
