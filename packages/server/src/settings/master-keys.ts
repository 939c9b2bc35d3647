import type { MasterKeys } from "@reeve/core";

/** The form of a master key in the settings and in the stored file. */
export const MASTER_KEY_FORM =
  "32 random bytes in base64 (openssl rand -base64 32), or several by commas as <number>:<key>, the one in use first";

/** Whether this is 32 bytes in base64 that may be random. */
export function isMasterKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64");
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && bytes.length === 32 && new Set(bytes).size >= 8;
}

/** One key (number 1), or several of which the first wraps; `undefined` for invalid text. */
export function masterKeysOf(text: string): string | MasterKeys | undefined {
  if (isMasterKey(text)) return text;
  const entries = text.split(",").map((entry) => /^([1-9]\d{0,5}):(.+)$/.exec(entry.trim()));
  const keys: Record<number, string> = {};
  for (const entry of entries) {
    if (!entry?.[1] || !entry[2] || !isMasterKey(entry[2]) || keys[Number(entry[1])]) return undefined;
    keys[Number(entry[1])] = entry[2];
  }
  return { current: Number(entries[0]?.[1]), keys };
}
