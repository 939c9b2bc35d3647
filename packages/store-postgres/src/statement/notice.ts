import type { Change } from "@reeve/core/store";
import type { Table } from "@reeve/store-sql";

/** The channel that announces commits of broadcast collections. Each schema of a database has its own. */
export const CHANNEL = '"reeve".changes';

/** The payload of a notice: the tenant and the names of the collections, separated by spaces. */
export function changePayload(tenantId: string, tables: readonly Table[]): string {
  return [tenantId, ...tables.map((table) => table.name)].join(" ");
}

/** Parses a payload; `undefined` if it is not Reeve's. */
export function changeOf(payload: string | undefined): Change | undefined {
  const [tenantId, ...collections] = (payload ?? "").split(" ");
  return tenantId && collections.length > 0 ? { tenantId, collections: new Set(collections) } : undefined;
}
