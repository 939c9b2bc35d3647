export { collectionMigration, type Migration, migrations, schemaDrift } from "@reeve/store-sql";
export { createSqliteStore, type SqliteStoreOptions } from "./store.js";
