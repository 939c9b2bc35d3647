export { collectionMigration, type Migration, migrations, type SqlStore, schemaDrift } from "@reeve/store-sql";
export type { HostDatabase } from "./connection.js";
export { copySqlite, settleSqlite } from "./copy.js";
export { createSqliteStore, type SqliteStoreOptions } from "./store.js";
