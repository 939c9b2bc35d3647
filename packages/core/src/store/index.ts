export { GENESIS_HASH, linkHash, sequenceText, sha256 } from "../kernel/chain.js";
export {
  type Collection,
  type Field,
  type FieldType,
  type FieldValue,
  fieldValue,
  foldText,
  type Index,
  type StoredRecord,
} from "../kernel/collection.js";
export { type Logger, silentLogger } from "../ports/logger.js";
export { columnValues } from "./column.js";
export type { EventDraft, EventPage, EventQuery, StoredEvent } from "./event-log.js";
export { checkClaims, checkNew, checkSuccessor } from "./guards.js";
export { Outcome } from "./outcome.js";
export {
  COUNT_LIMIT,
  type Condition,
  type CountPlan,
  checkEventQuery,
  checkIds,
  checkPlatform,
  checkPrune,
  checkSequences,
  checkSize,
  checkTally,
  countLimit,
  type FindPlan,
  planCount,
  planEach,
  planFind,
  planLookup,
  planLookups,
  SEARCH_CANDIDATES,
  SEARCH_COUNT_LIMIT,
  SIZE_LIMIT,
} from "./query.js";
export { Row, recordText } from "./row.js";
export type { SqlAnswer, SqlConsole, SqlQuestion, SqlValue } from "./sql-console.js";
export type {
  Change,
  ChangeListener,
  FindQuery,
  Found,
  Listed,
  PlatformReader,
  Position,
  QuotaClaim,
  QuotaGrant,
  Reader,
  Store,
  StoreStatus,
  Total,
  Transaction,
  Where,
  Writer,
} from "./store.js";
export { StoreError, type StoreErrorCode } from "./store-error.js";
