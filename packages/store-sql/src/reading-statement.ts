import { StoreError } from "@reeve/core/store";

/** White space and whole comments. Comments within comments are read differently by the databases, so they are no match. */
const SPACE = String.raw`(?:[ \t\n\f\r]|--[^\n]*(?:\n|$)|/\*(?:(?!/\*|\*/)[\s\S])*\*/)*`;
const READING = new RegExp(`^${SPACE}(?:select|values|with)(?![\\w$])`, "i");

/**
 * Rejects with `refused` what does not begin as a reading statement. It keeps from the database what acts while it is merely
 * prepared, or ends the transaction; all else is held back by what the console's connection may do.
 */
export function requireReading(statement: string): void {
  if (!READING.test(statement)) throw new StoreError("refused", "Only SELECT, VALUES and WITH are taken.");
  if (statement.includes("\0")) throw new StoreError("refused", "A statement holds no NUL.");
}
