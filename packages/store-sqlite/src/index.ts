export {
  type AddedFields,
  addFields,
  collectionMigration,
  type Migration,
  migrations,
  type SqlStore,
  schemaDrift,
  settleKeys,
  settleShape,
} from "@reeve/store-sql";
export type { HostDatabase } from "./connection.js";
export { copySqlite, settleSqlite } from "./copy.js";
export { createSqliteStore, type SqliteStoreOptions } from "./store.js";
