export { type Logger, silentLogger } from "../ports/logger.js";
export { addedKeys, usesAddedFields } from "./added-fields.js";
export { GENESIS_HASH, linkHash, sequenceText, sha256 } from "./chain.js";
export {
  type Field,
  type FieldType,
  type FieldValue,
  fieldValue,
  type Index,
  type StoredCollection,
  type StoredRecord,
  type Upcast,
} from "./collection.js";
export { type ColumnValues, columnValues } from "./column.js";
export { type Comparison, foldText } from "./comparison.js";
export { COMBINATION_LIMIT, type PartialCounters } from "./counters.js";
export type { EventDraft, EventPage, EventQuery, EventStreams, StoredEvent } from "./event-log.js";
export { atOnce, EventLoopYielder } from "./event-loop.js";
export type { AnyOf } from "./filters.js";
export {
  COUNT_LIMIT,
  type CountingPlan,
  type CountPlan,
  countLimit,
  type FindPlan,
  isShort,
  planCount,
  planEach,
  planFind,
  SCAN_LIMIT,
  SEARCH_COUNT_LIMIT,
  totalBeside,
} from "./find-plan.js";
export type { CountQuery, Filters, FindQuery, FirstQuery, Position, Where } from "./find-query.js";
export { planFirsts } from "./first-plan.js";
export {
  type Gathered,
  gatherCount,
  gatherPage,
  type KeyQuery,
  type KeyRow,
  type KeySource,
  mostGathered,
} from "./gather.js";
export { checkClaims, checkNew, checkSuccessor } from "./guards.js";
export { holdTurn } from "./hold-turn.js";
export { isBounded, type Scan } from "./index-scan.js";
export { Outcome } from "./outcome.js";
export type { Purge, Purged } from "./purge.js";
export {
  type Condition,
  checkCountBy,
  checkEventQuery,
  checkIds,
  checkPlatform,
  checkPrune,
  checkSequences,
  checkSize,
  planLookup,
  planLookups,
  planPlatformLookup,
  SIZE_LIMIT,
  STREAMS_LIMIT,
  streamsOf,
} from "./query.js";
export type { QuotaClaim, QuotaGrant } from "./quota.js";
export { Row, recordText } from "./row.js";
export { markedShape, shapeOf, upcast } from "./shape.js";
export type { SqlAnswer, SqlConsole, SqlQuestion, SqlValue } from "./sql-console.js";
export type {
  BackfillStatus,
  Change,
  ChangeListener,
  DueBacklog,
  Dues,
  DueTenant,
  Found,
  Listed,
  PlatformReader,
  PoolStats,
  Reader,
  ReplicaStats,
  Store,
  StoreStats,
  StoreStatus,
  Total,
  Transaction,
  Writer,
} from "./store.js";
export { StoreError, type StoreErrorCode } from "./store-error.js";
