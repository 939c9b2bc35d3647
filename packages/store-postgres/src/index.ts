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
export type { HostPool } from "./connect/connection.js";
export type { PostgresStoreOptions } from "./connect/options.js";
export { diagnosePostgres, majorVersion } from "./diagnose/diagnose.js";
export type { Diagnosis } from "./diagnose/diagnosis.js";
export { createPostgresStore, type PostgresStore } from "./store.js";
