import { StoreError } from "@reeve/core/store";
import Database from "better-sqlite3";

/** Whether SQLite refused because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** A driver's error as a `StoreError`. Other errors pass unchanged. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code } = error;
  if (isBusy(error)) return new StoreError("busy", "the database is locked by another process", { cause: error });
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_WRITE") {
    return new StoreError("full", "the database cannot grow", { cause: error });
  }
  if (/^(table|index|trigger|view) .+ already exists|^there is already an? /.test(error.message)) {
    const message = `the database holds something of a name that Reeve needs: ${error.message}`;
    return new StoreError("schema", message, { cause: error });
  }
  if (code === "SQLITE_SCHEMA" || /no such (table|column|index)/.test(error.message)) {
    return new StoreError("schema", "the database lacks a part of the schema: migrate it", { cause: error });
  }
  if (/^SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB|READONLY)/.test(code)) {
    return new StoreError("unavailable", "the database cannot be used", { cause: error });
  }
  return error;
}

/** Whether the failure is a taken primary or unique key. */
export function isTaken(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError && /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(error.code);
}
