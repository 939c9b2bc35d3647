import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { PasswordHasher } from "#ports/password-hasher.js";
import { boundedGate } from "./bounded-gate.js";

const KEY_LENGTH = 32;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/**
 * scrypt of node:crypto. At most `concurrency` run at once and `queue` more wait, so that a flood of sign-ins cannot
 * take all threads.
 */
export function scryptHasher(settings: { cost?: number; concurrency?: number; queue?: number } = {}): PasswordHasher {
  const { cost = 15, concurrency = 2, queue = 32 } = settings;
  const gate = boundedGate(concurrency, queue);
  const run = (password: string, salt: Uint8Array, ln: number, r: number, p: number) =>
    gate(() => derive(password, salt, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await run(password, salt, cost, 8, 1);
      return `$scrypt$ln=${cost},r=8,p=1$${unpadded(salt)}$${unpadded(key)}`;
    },
    async verify(password, hash) {
      const match = PHC.exec(hash);
      if (!match) return { ok: false, rehash: false };
      const [, ln, r, p, salt, key] = match as unknown as [string, string, string, string, string, string];
      const found = await run(password, Buffer.from(salt, "base64"), Number(ln), Number(r), Number(p));
      return { ok: timingSafeEqual(found, Buffer.from(key, "base64")), rehash: Number(ln) < cost };
    },
  };
}

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
