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
export type { Cluster } from "./migrate/cluster.js";
export type { Placed, Placement } from "./migrate/distribution.js";
export type { PostgresStore } from "./postgres-store.js";
export { createPostgresStore } from "./store.js";
