import { createHash, createPrivateKey, createPublicKey, KeyObject, sign, verify } from "node:crypto";
import type { Checkpoint } from "#families/options.js";
import { canonical } from "#kernel/events/canonical.js";

/** The text that is signed. */
export function checkpointText({ signature: _, ...content }: Checkpoint): string {
  return canonical(content);
}

/** The checkpoint with its signature, or unchanged without a key. */
export function signedCheckpoint(checkpoint: Checkpoint, key: KeyObject | undefined): Checkpoint {
  if (!key) return checkpoint;
  const value = sign(null, Buffer.from(checkpointText(checkpoint)), key).toString("base64url");
  return { ...checkpoint, signature: { alg: "Ed25519", kid: keyIdOf(key), value } };
}

/** Whether this checkpoint is signed by the private half of `key`, which may be public or private. */
export function isSignedBy(checkpoint: Checkpoint, key: KeyObject): boolean {
  const { signature } = checkpoint;
  if (signature?.alg !== "Ed25519" || signature.kid !== keyIdOf(key)) return false;
  const value = Buffer.from(signature.value, "base64url");
  return verify(null, Buffer.from(checkpointText(checkpoint)), publicHalf(key), value);
}

/** Reads the private key that signs checkpoints. Throws a TypeError unless it is an Ed25519 private key. */
export function checkpointKeyOf(given: string | KeyObject): KeyObject {
  const key = given instanceof KeyObject ? given : createPrivateKey(given);
  if (key.type !== "private" || key.asymmetricKeyType !== "ed25519") throw new TypeError("not an Ed25519 private key");
  return key;
}

/** The thumbprint of RFC 7638: SHA-256 of the required members of the public key, as base64url. */
export function keyIdOf(key: KeyObject): string {
  const { crv, kty, x } = publicHalf(key).export({ format: "jwk" });
  return createHash("sha256").update(canonical({ crv, kty, x })).digest("base64url");
}

function publicHalf(key: KeyObject): KeyObject {
  return key.type === "private" ? createPublicKey(key) : key;
}
