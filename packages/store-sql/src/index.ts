export { backfillsOf, runBackfill } from "./migrate/backfill.js";
export type { Backfill, BackfillDatabase, Run } from "./migrate/backfill-database.js";
export { schemaDrift } from "./migrate/drift.js";
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
} from "./migrate/migration.js";
export { migrations } from "./migrate/migrations.js";
export { type AddedFields, addFields, settleKeys, settleShape, tablesOf } from "./migrate/reshape.js";
export { indexStatements, type Reshape } from "./migrate/reshape-spec.js";
export type { Access, Counting } from "./query/access.js";
export { eventPageQuery, eventQuery, eventScanQuery, eventTotalQuery, streamValues } from "./query/event-queries.js";
export { firstRemovalQuery } from "./query/first-removal.js";
export { getOrCreate } from "./query/get-or-create.js";
export { keysOf } from "./query/keys.js";
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
} from "./query/page-queries.js";
export { SqlPlatformReader } from "./query/platform-reader.js";
export { Queries } from "./query/queries.js";
export { SqlReader } from "./query/reader.js";
export { requireReading } from "./query/reading-statement.js";
export { edgedOf, endsEarly, foundOf, listedOf, rowOf, totalOf } from "./query/rows.js";
export { holdsPart, scanKey } from "./query/scan.js";
export {
  hitsAfter,
  hitsOrder,
  hitsPart,
  type Search,
  type SearchPage,
  searchShape,
  searchValues,
} from "./query/search.js";
export { counterKey, counterValues, findValues, lookupValues, scanValues } from "./query/values.js";
export { type ConsoleView, consoleViews } from "./schema/console-views.js";
export { createTable } from "./schema/ddl.js";
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
} from "./schema/dialect.js";
export { identifier, snake } from "./schema/names.js";
export { rowValues, searchText, type Table, type TableShape, tableOf } from "./schema/table.js";
export { databaseIndexes, indexName, specOf, type TableSpec, uniqueName } from "./schema/table-spec.js";
export { counterDeltas, type Delta } from "./write/deltas.js";
export { COLUMNS as DUE_COLUMNS, LOWER, SqlDues, settled } from "./write/dues.js";
export { type PurgeSteps, purge, purgedTables } from "./write/purge.js";
export { grantsOf, quotaRow, quotaUpdate, SWEEP_EVERY, SWEPT } from "./write/quotas.js";
export { Room } from "./write/room.js";
export { Semaphore } from "./write/semaphore.js";
export { duplicateError, isOfRecords, type RecordWrite, staleError, streamsText, type Write } from "./write/write.js";
export { SqlTenant, SqlTransaction, type Unit } from "./write/writer.js";
