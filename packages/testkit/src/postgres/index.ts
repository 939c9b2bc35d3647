export { createDatabase, runSql, type TestDatabase } from "./database.js";
export { freePort } from "./free-port.js";
export { type PostgresServer, type PostgresSettings, startPostgres } from "./launcher.js";
