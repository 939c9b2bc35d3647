import { randomBytes } from "node:crypto";
import type { Environment } from "#kernel/config/environment.js";
import { base32 } from "./totp-codes.js";

const COUNT = 10;

/** New recovery codes of 50 random bits each, as people read them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const text = base32(randomBytes(7)).slice(0, 10).toLowerCase();
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });
}

/** A keyed hash of a code as its owner typed it: without spaces and hyphens, in either case. */
export function recoveryHash({ secretBox }: Pick<Environment, "secretBox">, userId: string, code: string): string {
  const plain = code.replaceAll(/[\s-]/g, "").toLowerCase();
  return secretBox.fingerprint(`${userId}\n${plain}`, "recovery code");
}
