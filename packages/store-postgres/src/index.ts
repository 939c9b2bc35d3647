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
export type { HostPool } from "./connection.js";
export type { PostgresStoreOptions } from "./options.js";
export { createPostgresStore, type PostgresStore } from "./store.js";
