import { isShort, type KeyQuery, type KeyRow } from "@reeve/core/store";
import { fieldColumns, holdsPart, join, keysOf, type Queries, type Rows, type TableShape } from "@reeve/store-sql";
import { searchFunction } from "./grants.js";
import { qualified } from "./namespace.js";
import type { Read } from "./read.js";

/**
 * Keys of the rows that hold the longest word, of which a function finds the ids; `undefined` when they reach the limit. The
 * function answers with empty ids when they are too many to be worth finding.
 */
export async function searchKeys(
  read: Read,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  { scan: { words }, fields, limit }: KeyQuery,
): Promise<readonly KeyRow[] | undefined> {
  const [term = ""] = words.filter((word) => !isShort(word)).sort((a, b) => b.length - a.length);
  const pattern = `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const query = queries.shape(`search/keys/${table.name}/${fields}/${Math.min(words.length, 2)}`, () => {
    const { dialect } = queries;
    // Asked for behind the tenant, which it reads from the session.
    const ids = {
      sql: `select array(select ${searchFunction(table.name)}(?, ?, ?) where s.tenant is not null) as ids`,
      slots: ["term", "pattern", "limit"],
    };
    const columns = join("t.id, ", holdsPart(dialect, words, "t"), ` as hit, ${fieldColumns(table, fields, "t.")}`);
    const rows = join(
      "select ",
      columns,
      ` from ${qualified(table.name)} t where t.tenant_id = s.tenant and t.removed_at is null`,
    );
    const few = { sql: " and t.id = any(f.ids) and cardinality(f.ids) < ?::integer", slots: ["limit"] };
    const found = join(
      "select k.*, cardinality(f.ids) as n from (",
      ids,
      " offset 0) f left join lateral (",
      rows,
      few,
      " offset 0) k on true",
    );
    return dialect.tenantRead(found, "once");
  });
  const list = queries.dialect.encodeList(words);
  const rows: Rows = await read(query, { tenant: tenantId, term, pattern, limit, word: words[0], words: list });
  if ((rows[0]?.at(-1) as number) >= limit) return undefined;
  return keysOf(
    table,
    fields,
    rows.filter(([id]) => id !== null),
  );
}
