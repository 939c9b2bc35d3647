import type { Change } from "@reeve/core/store";
import type { Table } from "@reeve/store-sql";

/** Where commits that wrote watched collections are told: one channel for each schema of a database. */
export const CHANNEL = '"reeve".changes';

/** What a notice says: the tenant and the names of the collections, by spaces. */
export function changePayload(tenantId: string, tables: readonly Table[]): string {
  return [tenantId, ...tables.map((table) => table.name)].join(" ");
}

/** Reads a notice; `undefined` for what is not one of ours. */
export function changeOf(payload: string | undefined): Change | undefined {
  const [tenantId, ...collections] = (payload ?? "").split(" ");
  return tenantId && collections.length > 0 ? { tenantId, collections: new Set(collections) } : undefined;
}
