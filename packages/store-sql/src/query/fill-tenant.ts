import { addedKeys, type StoredCollection, type StoredRecord, StoreError } from "@reeve/core/store";
import { part, type Query, tableIn } from "../schema/dialect.js";
import {
  claimPart,
  claimsOf,
  filledColumns,
  filledRow,
  OUTDATED,
  type Target,
  withoutKeys,
} from "../schema/filled-row.js";
import type { Table, TableShape } from "../schema/table.js";
import { MARKS, outdated, outdatedIndexName } from "../schema/table-spec.js";
import type { Access } from "./access.js";
import type { Queries } from "./queries.js";

/** Rows filled in one round trip. */
const TOGETHER = 200;

/**
 * Fills a tenant's rows that older code has written, so that a query by an added field finds them. Rejects with `busy`
 * where rows are read without the tenant's lock and some are left.
 */
export async function fillTenant<R extends StoredRecord>(
  access: Access,
  tenantId: string,
  table: Table<R>,
): Promise<void> {
  if ((await outdatedRows(access, tenantId, table, 1)).length === 0) return;
  if (!access.locked) throw new StoreError("busy", `${table.name}: rows of older code are not filled yet`);
  await access.locked((own) => fillAll(own, tenantId, table));
}

async function fillAll<R extends StoredRecord>(access: Access, tenantId: string, table: Table<R>): Promise<void> {
  const target = targetOf(table);
  const { queries } = access;
  for (;;) {
    const rows = await outdatedRows(access, tenantId, table, TOGETHER);
    if (rows.length === 0) return;
    const filled = await Promise.all(
      rows.map(async (cells) => {
        const written = filledRow(target, cells, queries.dialect.encode);
        const plain = withoutKeys(target, written);
        const slots = filledColumns(target).map((column, at) => [`c_${column}`, plain[at]] as const);
        const values = { ...Object.fromEntries(slots), tenant: tenantId, id: cells[0], version: cells[1] };
        const changed = await access.rows(fillQuery(queries, table, target), values);
        for (const claim of claimsOf(target, written)) {
          const key = Object.fromEntries(claim.values.map((value, at) => [`k${at}`, value]));
          await access.rows(claimQuery(queries, table, claim.columns), { ...values, ...key });
        }
        const search = table.spec.searchable ? searchQuery(queries, table) : undefined;
        if (search) await access.rows(search, values);
        return changed.length;
      }),
    );
    if (filled.includes(0)) throw new StoreError("conflict", `${table.name}: a row changed while it was filled`);
  }
}

function outdatedRows(access: Access, tenantId: string, table: TableShape, size: number) {
  return access.rows(outdatedQuery(access.queries, table), { tenant: tenantId, size });
}

function outdatedQuery(queries: Queries, table: TableShape): Query {
  return queries.shape(`outdated/${table.key}`, () => {
    const { dialect } = queries;
    const { knex, tenant } = dialect;
    const shape = table.spec.shape ?? 1;
    const rows = knex
      .from(dialect.from(table.name, outdatedIndexName(table.name, shape)))
      .select(OUTDATED)
      .where("tenant_id", tenant)
      .whereNull("removed_at")
      .whereRaw(outdated(shape))
      .orderBy("id");
    const { sql, slots } = part(rows);
    return dialect.tenantRead({ sql: `${sql} limit ?`, slots: [...slots, "size"] });
  });
}

function fillQuery(queries: Queries, table: TableShape, target: Target): Query {
  return queries.shape(`fill/${table.key}`, () => {
    const { dialect } = queries;
    const set = Object.fromEntries(filledColumns(target).map((column) => [column, `c_${column}`]));
    const row = dialect.knex(tableIn(dialect, table.name)).where("tenant_id", "tenant").where("id", "id");
    const { sql, slots } = part(row.where("version", "version").whereNull("removed_at").update(set));
    return dialect.change({ sql: `${sql} returning id`, slots });
  });
}

function claimQuery(queries: Queries, table: TableShape, columns: readonly string[]): Query {
  const { dialect } = queries;
  return queries.shape(`claim/${table.key}/${columns}`, () =>
    dialect.change(claimPart(dialect.table(table.name), columns)),
  );
}

function searchQuery(queries: Queries, table: TableShape): Query | undefined {
  const { dialect } = queries;
  const { searchFilled } = dialect;
  return searchFilled && queries.shape(`filled/${table.key}`, () => dialect.change(searchFilled(table.name)));
}

function targetOf<R extends StoredRecord>({ collection, spec }: Table<R>): Target {
  const marks: readonly string[] = MARKS;
  const fields = Object.keys(spec.columns).filter((column) => !marks.includes(column));
  return {
    collection: collection as unknown as StoredCollection,
    shape: spec.shape ?? 1,
    fields,
    searchable: spec.searchable,
    keys: addedKeys(collection).map((key) => spec.unique[key] ?? []),
  };
}
