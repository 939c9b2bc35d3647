import { quotedName } from "./names.js";
import { searchRow, tenantNumber } from "./search.js";
import type { Statements } from "./statements.js";

/** A collection and tenant with rows that wait to be indexed; `undefined` when there is none. */
export function nextPending(statements: Statements): readonly [collection: string, tenantId: string] | undefined {
  const [row] = statements.read("select collection, tenant_id from reeve_search_pending limit 1");
  return row as readonly [string, string] | undefined;
}

/**
 * Adds up to `limit` of a tenant's newest waiting rows to the search index and returns how many. Call it in a
 * transaction of the writing connection.
 */
export function indexPending(statements: Statements, collection: string, tenantId: string, limit: number): number {
  const rows = statements.read(
    `select p.n, t.search_text, t.removed_at from reeve_search_pending p join ${quotedName(collection)} t on t.n = p.n
    where p.collection = ? and p.tenant_id = ? order by p.n desc limit ?`,
    collection,
    tenantId,
    limit,
  );
  if (rows.length === 0) return 0;
  const number = tenantNumber(statements, tenantId) ?? newTenantNumber(statements, tenantId);
  const put = statements.of(`insert or replace into ${quotedName(`${collection}_fts`)} (rowid, text) values (?, ?)`);
  const drop = statements.of(`delete from ${quotedName(`${collection}_fts`)} where rowid = ?`);
  const done = statements.of("delete from reeve_search_pending where collection = ? and tenant_id = ? and n = ?");
  // In ascending order, because the index starts a new segment for each row number below the previous one.
  for (const [n, text, removedAt] of (rows as readonly [number, string, string | null][]).toReversed()) {
    if (removedAt === null) put.run(searchRow(number, n), text);
    else drop.run(searchRow(number, n));
    done.run(collection, tenantId, n);
  }
  return rows.length;
}

/** Takes deleted rows out of the search index of a collection, and those that wait for it. */
export function dropSearchRows(
  statements: Statements,
  collection: string,
  tenantId: string,
  numbers: readonly number[],
): void {
  const tenant = tenantNumber(statements, tenantId);
  const drop = statements.of(`delete from ${quotedName(`${collection}_fts`)} where rowid = ?`);
  const done = statements.of("delete from reeve_search_pending where collection = ? and tenant_id = ? and n = ?");
  for (const n of numbers) {
    if (tenant !== undefined) drop.run(searchRow(tenant, n));
    done.run(collection, tenantId, n);
  }
}

function newTenantNumber(statements: Statements, tenantId: string): number {
  const { lastInsertRowid } = statements.of("insert into reeve_search_tenants (tenant_id) values (?)").run(tenantId);
  return Number(lastInsertRowid);
}
