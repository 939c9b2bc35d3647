import { StoreError, type StoreErrorCode } from "@reeve/core/store";
import type { DatabaseError } from "pg";

const BY_STATE: readonly [states: RegExp, code: StoreErrorCode, message: string][] = [
  [/^(40001|40P01)$/, "conflict", "the database asked for a retry too often"],
  [/^(55P03|57014|53300)$/, "busy", "the database did not get to it in time"],
  [/^(08|57P0|58|XX|F0|25006|25P0[34]|26000|28|3D000|42P05)/, "unavailable", "the database cannot be used"],
  [/^53100$/, "full", "the database cannot grow"],
  [/^53/, "busy", "the database lacks something for it at the moment"],
  [/^(42P01|42703|42883|3F000|22023)$/, "schema", "the database lacks a part of the schema: migrate it"],
];
const POOLED =
  'a pooler that takes no start-up options is in between: set `pooler: "transaction"` (REEVE_POOLER=transaction)';

/** The server or the connection ended, which says nothing of a commit in progress. */
const ENDED = /^(08|57P0|58|XX|25P04)/;
const LOST = /^(ECONN|EPIPE|EPROTO|ENOTFOUND|ENOBUFS|EAI_|ETIMEDOUT|EHOST|ENET|ERR_SSL_|ERR_STREAM_)/;
/**
 * No other work may use the connection: it is over, its server became read-only, or somebody else has changed which
 * statements it has prepared.
 */
const USELESS = /^(08|57P0|25006|25P0[34]|26000|42P05)/;

/**
 * The SQLSTATE of a driver's error. The driver may be another copy than this package's. A prepared statement whose table
 * was altered since is one that the connection no longer has, for which the server has no state of its own.
 */
export function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error)) return undefined;
  const { code, routine } = error as DatabaseError;
  return code === "0A000" && routine === "RevalidateCachedQuery" ? "26000" : code;
}

/** Whether the connection broke without an answer. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || stateOf(error) !== undefined || StoreError.is(error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && LOST.test(code)) ||
    /^(Connection terminated|Client has encountered|Client was closed)/.test(error.message)
  );
}

/** Whether no other work may use the connection. */
export function endsConnection(error: unknown): boolean {
  const state = stateOf(error);
  return isConnectionLost(error) || (state !== undefined && USELESS.test(state));
}

/**
 * The error of a commit as one of unknown outcome, where the server ended before or while it confirmed the commit. A
 * server that is told to stop finishes a commit and then answers with that instead of the confirmation.
 */
export function commitError(error: unknown): unknown {
  const state = stateOf(error);
  return state !== undefined && ENDED.test(state) ? unknownOutcome(error) : error;
}

/** The error of the end of a transaction as one of unknown outcome, where the connection broke meanwhile. */
export function lastWordError(error: unknown): unknown {
  // A pooler reports a lost server with a state of its own.
  return isConnectionLost(error) || stateOf(error)?.startsWith("08") ? unknownOutcome(error) : error;
}

function unknownOutcome(cause: unknown): StoreError {
  return new StoreError("outcome_unknown", "the connection ended before the database confirmed the commit", { cause });
}

/** A driver's error as a `StoreError`. Other errors pass unchanged. */
export function storeError(error: unknown): unknown {
  const state = stateOf(error);
  if (state === "08P01" && /startup parameter/.test((error as Error).message))
    return new StoreError("unavailable", POOLED, { cause: error });
  if (state !== undefined) {
    const known = BY_STATE.find(([states]) => states.test(state));
    return known ? new StoreError(known[1], known[2], { cause: error }) : error;
  }
  if (error instanceof Error && /timeout exceeded when trying to connect/.test(error.message)) {
    return new StoreError("busy", "no connection became free in time", { cause: error });
  }
  if (isConnectionLost(error))
    return new StoreError("unavailable", "the connection to the database broke", { cause: error });
  return error;
}

/** The error of an attempt to connect as a `StoreError`: whatever it is, the database cannot be used now. */
export function connectError(error: unknown): StoreError {
  const known = storeError(error);
  return StoreError.is(known)
    ? known
    : new StoreError("unavailable", "no connection to the database", { cause: error });
}

/** Whether the failure of a unit is that of its whole database transaction. */
export function isOfAll(error: unknown): boolean {
  return StoreError.is(error) && (error.code === "outcome_unknown" || error.code === "unavailable");
}

/** Whether the database asks to retry the whole transaction. */
export function wantsRetry(error: unknown): boolean {
  return StoreError.is(error) && error.code === "conflict";
}

/** Whether a lock was not free in time, for the work itself or for that before it in the same tenant. */
export function isLockRefused(error: unknown): boolean {
  if (!StoreError.is(error) || error.code !== "busy") return false;
  return stateOf(error.cause) === "55P03" || isLockRefused(error.cause);
}
