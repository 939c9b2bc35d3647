export {
  collectionMigration,
  collectionMigration,
  type Migration,
  type Migration,
  migrations,
  migrations,
  type SqlStore,
  schemaDrift,
  schemaDrift,
} from "@reeve/store-sql";
export type { HostDatabase } from "./connection.js";
export { copySqlite, settleSqlite } from "./copy.js";
export { createSqliteStore, type SqliteStoreOptions } from "./store.js";
