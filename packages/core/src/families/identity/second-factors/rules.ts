import { minutesMs } from "#ports/durations.js";
import { METHODS, type Method } from "../sessions/schema.js";
import type { SecondFactor } from "./schema.js";

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_LIFETIME = minutesMs(5);
/** How long a factor waits to be confirmed, in milliseconds. */
export const PENDING_LIFETIME = minutesMs(15);
/** Passkeys of one person. */
export const MOST_PASSKEYS = 20;
/** How many challenges of a passkey are remembered as answered. They are good for minutes only. */
export const ANSWERED_KEPT = 100;
/** Wrong codes of a person in a day, from all addresses together: six digits are few. */
export const WRONG_CODES_A_DAY = 100;

const METHOD_OF = { totp: "totp", passkey: "passkey", recovery_codes: "recovery_code" } as const;

/** What a person can prove a second time with. Recovery codes alone are no factor. */
export function methodsOf(factors: readonly SecondFactor[], takesPasskeys: boolean): Method[] {
  const usable = factors.filter(({ kind, codeHashes }) =>
    kind === "recovery_codes" ? codeHashes.length > 0 : kind !== "passkey" || takesPasskeys,
  );
  const held = new Set<Method>(usable.map(({ kind }) => METHOD_OF[kind]));
  return hasFactor(factors) ? METHODS.filter((method) => held.has(method)) : [];
}

/** Whether a person has set up a factor. */
export function hasFactor(factors: readonly Pick<SecondFactor, "kind">[]): boolean {
  return factors.some(({ kind }) => kind !== "recovery_codes");
}
