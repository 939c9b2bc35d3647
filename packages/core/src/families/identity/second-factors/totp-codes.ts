import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The length of one time step, in milliseconds. */
export const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the present one that are taken too, for clocks that are off. */
const DRIFT = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 bits, in base32 as apps take it. */
export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

/**
 * The time step whose code this is (RFC 6238: SHA-1, six digits, 30 seconds), among those that are later than `after`.
 * `undefined` for none.
 */
export function matchingStep(secret: string, code: string, nowMs: number, after: number | null): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = Math.floor(nowMs / STEP_MS);
  const key = fromBase32(secret);
  const given = Buffer.from(code);
  let found: number | undefined;
  for (let step = now - DRIFT; step <= now + DRIFT; step += 1) {
    const isRight = timingSafeEqual(given, Buffer.from(codeOf(key, step)));
    if (isRight && step > (after ?? -1)) found ??= step;
  }
  return found;
}

/** The code of a moment. */
export function totpCode(secret: string, nowMs: number): string {
  return codeOf(fromBase32(secret), Math.floor(nowMs / STEP_MS));
}

/** The address that apps read from a QR code. */
export function totpUri(secret: string, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer }).toString().replaceAll("+", "%20")}`;
}

/** RFC 4226, section 5.3. */
function codeOf(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Base32 of RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
