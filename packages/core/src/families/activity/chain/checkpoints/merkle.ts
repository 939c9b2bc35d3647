import { createHash } from "node:crypto";

/**
 * An incremental Merkle tree of RFC 6962 with SHA-256: the input of a leaf is prefixed with byte 0, that of a node with
 * byte 1. It keeps one hash per level.
 */
export class MerkleTree {
  /** Complete subtrees, the largest first. */
  readonly #subtrees: { readonly leaves: number; readonly hash: Buffer }[] = [];

  /** Adds a leaf: a SHA-256 hash in hex. */
  add(hash: string): void {
    let grown = { leaves: 1, hash: hashOf(0, Buffer.from(hash, "hex")) };
    for (let left = this.#subtrees.at(-1); left?.leaves === grown.leaves; left = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      grown = { leaves: 2 * grown.leaves, hash: hashOf(1, left.hash, grown.hash) };
    }
    this.#subtrees.push(grown);
  }

  /** The root over all leaves so far, as hex. */
  root(): string {
    const hashes = this.#subtrees.map(({ hash }) => hash);
    let root = hashes.pop() ?? createHash("sha256").digest();
    for (const left of hashes.reverse()) root = hashOf(1, left, root);
    return root.toString("hex");
  }
}

function hashOf(kind: 0 | 1, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash("sha256").update(Uint8Array.of(kind));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
