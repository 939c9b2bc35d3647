import { StoreError, type StoreErrorCode } from "@reeve/core/store";
import type { DatabaseError } from "pg";

const BY_STATE: readonly [states: RegExp, code: StoreErrorCode, message: string][] = [
  [/^(40001|40P01)$/, "conflict", "the database asked for a retry too often"],
  [/^(55P03|57014|53300)$/, "busy", "the database did not get to it in time"],
  [/^(08|57P0|58|XX|25006|28)/, "unavailable", "the database cannot be used"],
  [/^53/, "full", "the database cannot grow"],
  [/^(42P01|42703|42883|3F000|22023)$/, "schema", "the database lacks a part of the schema: migrate it"],
];
const LOST = /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;

/** The SQLSTATE of a driver's error. The driver may be another copy than this package's. */
export function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error)) return undefined;
  return (error as DatabaseError).code;
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

/** A driver's error as a `StoreError`. Other errors pass unchanged. */
export function storeError(error: unknown): unknown {
  const state = stateOf(error);
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

/** Whether the database asks to retry the whole transaction. */
export function wantsRetry(error: unknown): boolean {
  return StoreError.is(error) && error.code === "conflict";
}
