import { randomBytes } from "node:crypto";
import type { Environment } from "../../../../kernel/config/environment.js";

/** A new token with 256 random bits, as base64url. */
export function newLinkToken(): string {
  return randomBytes(32).toString("base64url");
}

export function linkTokenHash({ secretBox }: Pick<Environment, "secretBox">, token: string): string {
  return secretBox.fingerprint(token, "password link");
}
