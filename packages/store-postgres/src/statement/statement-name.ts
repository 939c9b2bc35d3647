import { createHash } from "node:crypto";

/** A name derived from the text, equal on every connection. */
export function statementName(sql: string): string {
  return `reeve_${createHash("sha256").update(sql).digest("hex").slice(0, 20)}`;
}
