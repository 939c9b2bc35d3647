import { createHash, createPrivateKey, createPublicKey, KeyObject, sign, verify } from "node:crypto";
import { canonical } from "#kernel/events/canonical.js";

/**
 * The state of a tenant's chain at one moment. It can be verified later, and verification can start from it after
 * pruning.
 */
export interface Checkpoint {
  readonly format: "reeve-checkpoint/1";
  /** Id of the tenant whose chain it is. */
  readonly chainid: string;
  /** The events it covers, both included; they follow those of the checkpoint before. */
  readonly fromSeq: number;
  readonly toSeq: number;
  /** `eventhash` of the last of them. */
  readonly headHash: string;
  /** Root of the Merkle tree (RFC 6962, SHA-256) whose leaves are their event hashes. */
  readonly merkleRoot: string;
  /** When it was made, after all of these events. */
  readonly at: string;
  /** Ed25519 over the canonical JSON (RFC 8785) of all other members. Absent without a key. */
  readonly signature?: CheckpointSignature;
}

export interface CheckpointSignature {
  readonly alg: "Ed25519";
  /** Thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  /** base64url. */
  readonly value: string;
}

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
