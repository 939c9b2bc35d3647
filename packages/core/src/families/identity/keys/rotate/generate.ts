import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import type { SigningKey } from "../schema.js";

type Done = (error: Error | null, publicKey: Buffer, privateKey: Buffer) => void;

const publicKeyEncoding = { type: "spki", format: "der" } as const;
const privateKeyEncoding = { type: "pkcs8", format: "der" } as const;
const encoded = { publicKeyEncoding, privateKeyEncoding };

const BY_ALGORITHM: Readonly<Record<SigningKey["alg"], (done: Done) => void>> = {
  ES256: (done) => generateKeyPair("ec", { namedCurve: "P-256", ...encoded }, done),
  EdDSA: (done) => generateKeyPair("ed25519", encoded, done),
  RS256: (done) => generateKeyPair("rsa", { modulusLength: 2_048, ...encoded }, done),
};

/**
 * A new private key. It is read back from its encoding, because Node 20 stands still for good when it collects what
 * generated a key while that key is exported as a JWK.
 */
export async function newPrivateKey(alg: SigningKey["alg"]): Promise<KeyObject> {
  const key = await new Promise<Buffer>((resolve, reject) => {
    BY_ALGORITHM[alg]((error, _publicKey, privateKey) => (error ? reject(error) : resolve(privateKey)));
  });
  return createPrivateKey({ key, ...privateKeyEncoding });
}
