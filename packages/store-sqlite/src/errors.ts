import { StoreError } from "@reeve/core/store";

/** The names of the result codes that `node:sqlite` tells as numbers. https://sqlite.org/rescode.html */
const NAMES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  17: "SQLITE_SCHEMA",
  26: "SQLITE_NOTADB",
  778: "SQLITE_IOERR_WRITE",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
};

/** An error of SQLite, from any driver. */
type SqliteError = Error & { readonly code?: unknown; readonly errcode?: unknown };

/** The name of the result code of an error of SQLite, extended where it is known. `undefined` of any other error. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as SqliteError;
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number")
    return NAMES[errcode] ?? NAMES[errcode & 0xff] ?? "SQLITE_ERROR";
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/** Whether SQLite refused because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? "");
}

/** A driver's error as a `StoreError`. Other errors pass unchanged. */
export function storeError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const { message } = error as Error;
  if (isBusy(error)) return new StoreError("busy", "the database is locked by another process", { cause: error });
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_WRITE") {
    return new StoreError("full", "the database cannot grow", { cause: error });
  }
  if (/^(table|index|trigger|view) .+ already exists|^there is already an? /.test(message)) {
    const taken = `the database holds something of a name that Reeve needs: ${message}`;
    return new StoreError("schema", taken, { cause: error });
  }
  if (code === "SQLITE_SCHEMA" || /no such (table|column|index)/.test(message)) {
    return new StoreError("schema", "the database lacks a part of the schema: migrate it", { cause: error });
  }
  if (/^SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB|READONLY)/.test(code)) {
    return new StoreError("unavailable", "the database cannot be used", { cause: error });
  }
  return error;
}

/** Whether the failure is a taken primary or unique key. */
export function isTaken(error: unknown): error is Error {
  return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error) ?? "");
}
