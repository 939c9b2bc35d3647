import { aesSecretBox } from "./secret-box.js";

/** Wraps data keys, by master keys in this process or by a key management service. */
export interface KeyEncryption {
  /** The version of the key that wraps now. It is stored beside what it wrapped. */
  readonly current: string;
  /** Binds `context`: unwrapping with another one fails. */
  wrap(key: Uint8Array, context: string): Promise<string>;
  /** The key, or `undefined` when `version` is not available or did not wrap this text for this context. */
  unwrap(wrapped: string, version: string, context: string): Promise<Uint8Array | undefined>;
}

/** Master keys by number. `current` wraps; the others only unwrap. */
export interface MasterKeys {
  readonly current: number;
  readonly keys: Readonly<Record<number, Uint8Array | string>>;
}

/** One master key (number 1), several, or a key management service. A key is 32 random bytes or their base64 text. */
export type MasterKey = Uint8Array | string | MasterKeys | KeyEncryption;

/**
 * The key encryption of a master key. Throws for a key that is short, constant or missing. The message never shows it.
 */
export function keyEncryption(given: MasterKey): KeyEncryption {
  if (isKeyEncryption(given)) return given;
  const { current, keys } = isMasterKeys(given) ? given : { current: 1, keys: { 1: given } };
  const boxes = new Map(Object.entries(keys).map(([version, key]) => [version, aesSecretBox(bytesOf(key))]));
  const box = boxes.get(String(current));
  if (!box) throw new Error(`masterKey: there is no key number ${current}`);
  return {
    current: String(current),
    wrap: async (key, context) => box.seal(Buffer.from(key).toString("base64"), context),
    async unwrap(wrapped, version, context) {
      const opened = boxes.get(version)?.open(wrapped, context);
      return opened === undefined ? undefined : Buffer.from(opened, "base64");
    },
  };
}

function bytesOf(key: Uint8Array | string): Uint8Array {
  return typeof key === "string" ? Buffer.from(key, "base64") : key;
}

function isKeyEncryption(given: MasterKey): given is KeyEncryption {
  return typeof given === "object" && "wrap" in given;
}

function isMasterKeys(given: Uint8Array | string | MasterKeys): given is MasterKeys {
  return typeof given === "object" && "keys" in given && "current" in given;
}
