export { createDatabase, runSql, type TestDatabase } from "./database.js";
export { freePort } from "./free-port.js";
export { type PostgresOptions, type PostgresServer, type PostgresSettings, startPostgres } from "./launcher.js";
export { memoryFolder } from "./memory-folder.js";
