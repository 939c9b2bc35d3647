export {
  type AddedFields,
  addFields,
  collectionMigration,
  type Migration,
  migrations,
  type SqlStore,
  schemaDrift,
  settleShape,
} from "@reeve/store-sql";
export type { HostPool } from "./connection.js";
export { createPostgresStore, type PostgresStoreOptions } from "./store.js";
