import { hash } from "node:crypto";

/** The hash of a leaf (RFC 9162): SHA-256 of byte 0 and its bytes. */
export function leafHash(bytes: Buffer): Buffer {
  return hash("sha256", Buffer.concat([LEAF, bytes]), "buffer");
}

/** The hash of a node (RFC 9162): SHA-256 of byte 1 and both hashes below. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  NODE.set(left, 1);
  NODE.set(right, 1 + left.length);
  return hash("sha256", NODE, "buffer");
}

const LEAF = Buffer.of(0);
/** The input of each node, one after the other: trees have too many of them to make one each time. */
const NODE = Buffer.alloc(65, 1);

/** The root of a tree that ends in these complete subtrees, the largest first. */
export function rootOfPeaks(peaks: readonly Buffer[]): Buffer {
  const [last = hash("sha256", "", "buffer"), ...before] = [...peaks].reverse();
  return before.reduce((root, left) => nodeHash(left, root), last);
}

/** A Merkle tree of RFC 9162 with SHA-256 over hashes. It keeps all of its nodes, to prove each leaf. */
export class MerkleTree {
  private constructor(private readonly levels: readonly (readonly Buffer[])[]) {}

  /** The tree of leaves whose bytes are these hashes in hex. It takes steps, because there can be many. */
  static *grown(leaves: readonly string[]): Generator<void, MerkleTree> {
    let level: Buffer[] = [];
    for (const leaf of leaves) {
      level.push(leafHash(Buffer.from(leaf, "hex")));
      yield;
    }
    const levels = [level];
    while (level.length > 1) {
      const above: Buffer[] = [];
      for (let at = 0; at < level.length; at += 2) {
        const [left, right] = [level[at] as Buffer, level[at + 1]];
        above.push(right ? nodeHash(left, right) : left);
        yield;
      }
      level = above;
      levels.push(level);
    }
    return new MerkleTree(levels);
  }

  /** The root over all leaves, as hex. */
  root(): string {
    return rootOfPeaks(this.levels.at(-1) ?? []).toString("hex");
  }

  /** The inclusion proof of a leaf: hashes beside its path to the root, from below, as hex. */
  pathOf(leaf: number): string[] {
    return this.levels.flatMap((level, height) => level[(leaf >> height) ^ 1]?.toString("hex") ?? []);
  }
}
