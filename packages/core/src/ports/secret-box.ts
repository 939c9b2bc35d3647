import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomFillSync } from "node:crypto";

/** Seals and opens short secrets. `context` is bound in: opening under another one fails. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** The secret, or `undefined` when this box did not seal the text for this context. */
  open(sealed: string, context: string): string | undefined;
  /** A keyed hash, in hex, for look-ups without storing the text. */
  fingerprint(text: string, context: string): string;
}

/** A secret box whose key comes from the store. Call `fill` once the key is read. */
export interface LateSecretBox extends SecretBox {
  fill(box: SecretBox): void;
}

/** A box that delegates to one made later. Throws when used before that. */
export function lateSecretBox(): LateSecretBox {
  let made: SecretBox | undefined;
  const box = () => {
    if (!made) throw new Error("the control plane is not ready");
    return made;
  };
  return {
    fill: (given) => {
      made = given;
    },
    seal: (plain, context) => box().seal(plain, context),
    open: (sealed, context) => box().open(sealed, context),
    fingerprint: (text, context) => box().fingerprint(text, context),
  };
}

const VERSION = 1;
const NONCE = 12;

/** AES-256-GCM with two keys derived from a 32-byte master key: one to seal, one for fingerprints. */
export function aesSecretBox(masterKey: Uint8Array): SecretBox {
  if (masterKey.length !== 32) throw new Error("masterKey must be 32 bytes");
  if (new Set(masterKey).size < 8) throw new Error("masterKey must be random bytes");
  const subkey = (info: string) => Buffer.from(hkdfSync("sha256", masterKey, "reeve", info, 32));
  const sealKey = subkey("seal");
  const fingerprintKey = subkey("fingerprint");
  return {
    seal(plain, context) {
      const nonce = nextNonce();
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < 29 || bytes[0] !== VERSION || bytes.toString("base64url") !== sealed) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(1, 13), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(13, 29));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
    fingerprint: (text, context) => createHmac("sha256", fingerprintKey).update(`${context}\n${text}`).digest("hex"),
  };
}

const pool = Buffer.alloc(NONCE * 256);
let used = pool.length;

/** A random nonce. They are fetched from the system in bulk, which makes sealing cheap. */
function nextNonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE;
  return pool.subarray(used - NONCE, used);
}
