import { StoreError } from "@reeve/core/store";

/** White space and whole comments. Nested comments do not match, because databases treat them differently. */
const SPACE = String.raw`(?:[ \t\n\f\r]|--[^\n]*(?:\n|$)|/\*(?:(?!/\*|\*/)[\s\S])*\*/)*`;
const READING = new RegExp(`^${SPACE}(?:select|values|with)(?![\\w$])`, "i");

/**
 * Rejects with `refused` unless the statement begins like a read. This stops statements that act when merely prepared
 * or that end the transaction. The rights of the console's connection stop all else.
 */
export function requireReading(statement: string): void {
  if (!READING.test(statement)) throw new StoreError("refused", "Only SELECT, VALUES and WITH are taken.");
  if (statement.includes("\0")) throw new StoreError("refused", "A statement holds no NUL.");
}
