export { collectionMigration, type Migration, migrations, schemaDrift } from "@reeve/store-sql";
export { createPostgresStore, type PostgresStoreOptions } from "./store.js";
