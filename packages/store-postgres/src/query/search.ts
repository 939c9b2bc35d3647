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
import { searchFunction } from "../connect/grants.js";
import { qualified } from "../statement/namespace.js";
import type { Read } from "../statement/read.js";

/**
 * A page of hits in one order, and their total. A function finds the ids of rows with the longest word. For too many
 * candidates it returns empty ids, as many as the limit.
 */
export async function searchPage<R extends StoredRecord>(
  read: Read,
  queries: Queries,
  tenantId: string,
  table: Table<R>,
  plan: FindPlan,
): Promise<SearchPage<R> | undefined> {
  const { key, kept } = searchShape(table, plan);
  const query = queries.shape(`search/page/${key}`, () =>
    queries.dialect.tenantRead(pagePart(queries, table, plan), kept),
  );
  const limit = mostGathered(plan) + 1;
  const values = { ...searchValues(queries.dialect, tenantId, plan), ...termValues(plan.words), limit };
  const rows = await read(query, values);
  const [looked, hits] = rows[0]?.slice(-3) ?? [];
  if ((looked as number) >= limit) return undefined;
  const held = rows.filter(([id]) => id !== null);
  const found = foundOf<R>(held, plan.size, (cells) => rowOf(table, tenantId, cells));
  return { ...found, total: { count: hits as number, exact: true } };
}

/** The keys of the rows that may hold the words. */
export async function searchKeys(
  read: Read,
  queries: Queries,
  tenantId: string,
  table: TableShape,
  { scan: { words }, fields, limit }: KeyQuery,
): Promise<readonly KeyRow[] | undefined> {
  const { dialect } = queries;
  const query = queries.shape(`search/keys/${table.key}/${fields}/${Math.min(words.length, 2)}`, () => {
    const columns = join("t.id, ", holdsPart(dialect, words, "t"), ` as hit, ${fieldColumns(table, fields, "t.")}`);
    const keys = join("with ", candidates(table), ", k as (select ", columns, candidateRows(dialect, table), ") ");
    return dialect.tenantRead(join(keys, `select k.*, cardinality(c.ids) as n from c left join k on true`), "once");
  });
  const held = { word: words[0], words: dialect.encodeList(words) };
  const rows = await read(query, { tenant: tenantId, limit, ...held, ...termValues(words) });
  if ((rows[0]?.at(-1) as number) >= limit) return undefined;
  return keysOf(
    table,
    fields,
    rows.filter(([id]) => id !== null),
  );
}

function pagePart({ dialect }: Queries, table: TableShape, plan: FindPlan): Part {
  const hits = join(
    `select t.id, t."${table.columnOf[plan.by]}" as position`,
    ...[candidateRows(dialect, table), hitsPart(dialect, table, plan)],
  );
  const page = join("select h.* from h where true", hitsAfter(plan, "h.position", "h.id"));
  return join(
    ...["with ", candidates(table), ", h as materialized (", hits, "), "],
    ...["p as (", page, hitsOrder(plan, "h.position", "h.id"), cutPart(plan), ") "],
    `select ${table.row.map((column) => `t.${column}`).join(", ")}, cardinality(c.ids) as looked, (select count(*) from h) as hits, p.position `,
    `from c left join p on true left join ${qualified(table.name)} t on `,
    { sql: "t.tenant_id = ? and t.id = p.id", slots: ["tenant"] },
    hitsOrder(plan, "p.position", "p.id"),
  );
}

/** The function takes the tenant from the session. It runs after the tenant is set, as all that a read selects. */
function candidates(table: TableShape): Part {
  return {
    sql: `c as materialized (select array(select ${searchFunction(table.name)}(?, ?, ?)) as ids)`,
    slots: ["term", "pattern", "limit"],
  };
}

function candidateRows(dialect: Dialect, table: TableShape): Part {
  const from = {
    sql: ` from c cross join ${qualified(table.name)} t where t.tenant_id = ? and ${dialect.isThere("t")}`,
    slots: ["tenant"],
  };
  const few = { sql: " and t.id = any(c.ids) and cardinality(c.ids) < ?::integer", slots: ["limit"] };
  return join(from, few);
}

function termValues(words: readonly string[]) {
  const [term = ""] = words.filter((word) => !isShort(word)).sort((a, b) => b.length - a.length);
  return { term, pattern: `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%` };
}
