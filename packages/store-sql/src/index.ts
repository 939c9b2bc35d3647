export type { Access, Counting } from "./access.js";
export { backfillsOf, runBackfill } from "./backfill.js";
export type { Backfill, BackfillDatabase, Run } from "./backfill-database.js";
export { type ConsoleView, consoleViews } from "./console-views.js";
export { createTable } from "./ddl.js";
export { counterDeltas, type Delta } from "./deltas.js";
export {
  type Dialect,
  join,
  type Part,
  part,
  type Query,
  type Rows,
  type TableDialect,
  tableIn,
  type Values,
} from "./dialect.js";
export { schemaDrift } from "./drift.js";
export { COLUMNS as DUE_COLUMNS, LOWER, SqlDues, settled } from "./dues.js";
export { eventPageQuery, eventQuery, eventScanQuery, eventTotalQuery, streamValues } from "./event-queries.js";
export { getOrCreate } from "./get-or-create.js";
export { keysOf } from "./keys.js";
export {
  type Applied,
  checksumOf,
  collectionMigration,
  indexStatementsOf,
  inOrder,
  type Migration,
  pendingMigrations,
  type SqlStore,
  statementsOf,
} from "./migration.js";
export { migrations } from "./migrations.js";
export { identifier, snake } from "./names.js";
export {
  countPart,
  countQuery,
  cutPart,
  edgedPageQuery,
  fieldColumns,
  keptOf,
  pageKey,
  pagePart,
  pageQuery,
} from "./page-queries.js";
export { SqlPlatformReader } from "./platform-reader.js";
export { firstRemovalQuery, type PurgeSteps, purge, purgedTables } from "./purge.js";
export { Queries } from "./queries.js";
export { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "./quotas.js";
export { SqlReader } from "./reader.js";
export { requireReading } from "./reading-statement.js";
export { type AddedFields, addFields, settleKeys, settleShape, tablesOf } from "./reshape.js";
export { indexStatements, type Reshape } from "./reshape-spec.js";
export { Room } from "./room.js";
export { edgedOf, endsEarly, foundOf, listedOf, rowOf, totalOf } from "./rows.js";
export { holdsPart, scanKey } from "./scan.js";
export {
  hitsAfter,
  hitsOrder,
  hitsPart,
  type Search,
  type SearchPage,
  searchShape,
  searchValues,
} from "./search.js";
export { Semaphore } from "./semaphore.js";
export { rowValues, searchText, type Table, type TableShape, tableOf } from "./table.js";
export { databaseIndexes, indexName, type TableSpec, uniqueName } from "./table-spec.js";
export { counterValues, findValues, isOneCounter, lookupValues, scanValues } from "./values.js";
export { duplicateError, isOfRecords, type RecordWrite, staleError, streamsText, type Write } from "./write.js";
export { SqlTenant, SqlTransaction, type Unit } from "./writer.js";
