import { copyPostgres } from "./raw-postgres.js";
import { copySqlite } from "./raw-sqlite.js";
import type { Written } from "./raw-tables.js";
import type { Database } from "./server.js";

/** The tables of an import. Counters and chain heads are left out, because they are few rows. */
const TABLES = [
  "ai_assets",
  "ai_models",
  "ai_tools",
  "ai_agents",
  "asset_links",
  "reviews",
  "events",
  "event_streams",
  "search_pending",
] as const;

/** Copies a tenant's rows from one database to another, in slices. Returns the seconds of writes and commits. */
export function copyRows(
  tenantId: string,
  from: Database,
  to: Database,
  slices: number,
  { inserted = TABLES, updated = [] }: Written = {},
): Promise<number> {
  const tables = { inserted, updated };
  return from.store === "sqlite"
    ? Promise.resolve(copySqlite(tenantId, from.location, to.location, slices, tables))
    : copyPostgres(tenantId, from.location, to.location, slices, tables);
}
