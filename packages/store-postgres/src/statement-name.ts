import { createHash } from "node:crypto";

/** A name that stands for this very text on every connection. */
export function statementName(sql: string): string {
  return `reeve_${createHash("sha256").update(sql).digest("hex").slice(0, 20)}`;
}
