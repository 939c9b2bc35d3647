import { randomBytes } from "node:crypto";

const origin = randomBytes(9).toString("base64url");
let count = 0;

/** An id for a request that brought none: unique over processes, and cheaper than a ULID, as every request pays for it. */
export function mintRequestId(): string {
  count += 1;
  return `req_${origin}${count.toString(36)}`;
}
