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
export { copySqlite, settleSqlite } from "./copy.js";
export type { DriverName } from "./driver/driver.js";
export type { HostDatabase } from "./driver/host.js";
export { createSqliteStore, type SqliteStoreOptions } from "./store.js";
