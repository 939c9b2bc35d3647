import type { Query } from "@reeve/store-sql";
import pg from "pg";

/** Sets the tenant for the rest of the transaction. */
export const SET_TENANT = "select set_config('reeve.tenant', $1::text, true)";

/** The same as a read, for work that takes statements as reads. */
export const TENANT_QUERY: Query = { sql: SET_TENANT, slots: ["tenant"], name: "" };

/** Lets the rest of the transaction see the rows of all tenants where a policy says so. */
export const SET_PLATFORM = `set local "reeve.platform" = 'on'`;

/** The same as `SET_TENANT` where tables are distributed, as a cluster tells its nodes of no other form. */
export function tenantText(tenantId: string): string {
  return `set local "reeve.tenant" = ${pg.escapeLiteral(tenantId)}`;
}
