export { createDatabase, type TestDatabase } from "./database.js";
export { type PostgresServer, type PostgresSettings, startPostgres } from "./launcher.js";
