import { randomBytes } from "node:crypto";
import type { Environment } from "#kernel/config/environment.js";

/** A new token with 256 random bits, as base64url. */
export function newLinkToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text has the form of such a token. */
export function isLinkToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function linkTokenHash({ secretBox }: Pick<Environment, "secretBox">, token: string): string {
  return secretBox.fingerprint(token, "password link");
}
