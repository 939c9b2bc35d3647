import { createHash } from "node:crypto";

/** PostgreSQL truncates identifiers after 63 bytes. */
const LONGEST = 63;

/** Snake case: `createdAt` becomes `created_at`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Joins the parts to an identifier. One that is too long ends in a digest. */
export function identifier(...parts: readonly string[]): string {
  const name = parts.join("_");
  if (name.length <= LONGEST) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${name.slice(0, LONGEST - 11)}_${digest}`;
}
