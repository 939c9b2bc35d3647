import { createHash, createHmac, hash } from "node:crypto";
import { sequenceText, sha256 } from "#store/chain.js";
import type { StoredEvent } from "#store/event-log.js";
import { leafHash, nodeHash } from "./merkle.js";

/** Levels of the tree: as many bits of a key's position are its path. */
const DEPTH = 64;
const EMPTY = Buffer.alloc(32);

/** One event of a key: its sequence, and a hash that tells nobody more who does not know the event. */
export type IndexEntry = readonly [sequence: number, hash: string];

/** What a tree knows of a key, with its proof. Without entries it proves that no event has the key. */
export interface IndexProof {
  readonly key: string;
  readonly entries: readonly IndexEntry[];
  /** Makes hashes of other keys impossible to guess; absent without entries. */
  readonly blind?: string;
  /** Hashes beside the path of the key, from the root; `null` where no key is. Behind its end there are none. */
  readonly path: readonly (string | null)[];
}

interface Leaf {
  readonly position: Buffer;
  readonly hash: Buffer;
}

/** A subtree: without keys, with one, or with two sides. */
interface Tree {
  readonly hash: Buffer;
  readonly leaf?: Leaf;
  readonly sides?: readonly [Tree, Tree];
}

interface Sealed {
  readonly secret: Buffer;
  readonly root: Tree;
}

/** The attributes of an event that an index looks at. */
export interface Envelope extends Readonly<Record<"subject" | "authid" | "subjecttype" | "type" | "time", string>> {
  readonly related?: string;
}

/** The keys under which the index of a checkpoint lists an event. All are named by attributes that its hash covers. */
export function keysOf(event: Envelope): string[] {
  const subjects = new Set([event.subject, ...(event.related?.split(" ") ?? [])]);
  return [
    ...[...subjects].map((id) => `subject:${id}`),
    `actor:${event.authid}`,
    `kind:${event.subjecttype}`,
    `type:${event.type}`,
  ];
}

/**
 * A sparse Merkle tree over the lists of events of each key, within the events of one checkpoint. Its proofs show that a
 * list is whole, or that there is none, and tell of other keys only hashes that cannot be guessed.
 */
export class IndexTree {
  readonly #lists = new Map<string, { readonly sequence: number; readonly record: string }[]>();
  readonly #secret = createHash("sha256");
  /** The times of the first and the last event. */
  readonly times = { firstTime: "", lastTime: "" };
  #head = "";
  #sealed: Sealed | undefined;

  /** Adds the next event. */
  add(event: StoredEvent): void {
    const envelope = JSON.parse(event.attributes) as Envelope;
    const record = sha256(event.attributes);
    this.#head = event.eventHash;
    this.times.firstTime ||= envelope.time;
    this.times.lastTime = envelope.time;
    // Whoever lacks an event of the checkpoint cannot compute it.
    this.#secret.update(record, "hex");
    for (const key of keysOf(envelope)) {
      const list = this.#lists.get(key);
      if (list) list.push({ sequence: event.sequence, record });
      else this.#lists.set(key, [{ sequence: event.sequence, record }]);
    }
  }

  /** The root, as hex. It takes steps, because there can be many keys. */
  *root(): Generator<void, string> {
    return (yield* this.#seal()).root.hash.toString("hex");
  }

  /** The proof of what is listed under a key. */
  *prove(key: string): Generator<void, IndexProof> {
    const { secret, root } = yield* this.#seal();
    const position = positionOf(this.#head, key);
    const entries = this.#entries(key, position);
    const path = pathTo(position, root).map((beside) => (beside === EMPTY ? null : beside.toString("hex")));
    if (entries.length === 0) return { key, entries, path };
    while (path.at(-1) === null) path.pop();
    return { key, entries, blind: blindOf(secret, position), path };
  }

  *#seal(): Generator<void, Sealed> {
    if (this.#sealed) return this.#sealed;
    const secret = this.#secret.digest();
    const leaves: Leaf[] = [];
    for (const key of this.#lists.keys()) {
      const position = positionOf(this.#head, key);
      const lines = this.#entries(key, position).map(([sequence, entry]) => `${sequenceText(sequence)} ${entry}`);
      const text = [position.toString("hex"), blindOf(secret, position), ...lines].join("\n");
      leaves.push({ position, hash: leafHash(Buffer.from(text)) });
      yield;
    }
    leaves.sort((a, b) => a.position.compare(b.position));
    this.#sealed = { secret, root: yield* grown(leaves, 0) };
    return this.#sealed;
  }

  #entries(key: string, position: Buffer): IndexEntry[] {
    const at = position.toString("hex");
    return (this.#lists.get(key) ?? []).map(({ sequence, record }) => [
      sequence,
      sha256(`${at}\n${sequenceText(sequence)}\n${record}`),
    ]);
  }
}

/** The subtree at a depth that holds these leaves, in the order of their positions. */
function* grown(leaves: readonly Leaf[], depth: number): Generator<void, Tree> {
  const [first] = leaves;
  if (!first) return { hash: EMPTY };
  if (leaves.length === 1) {
    yield;
    return { hash: alone(first, depth), leaf: first };
  }
  const split = leaves.findIndex(({ position }) => bitAt(position, depth) === 1);
  const end = split < 0 ? leaves.length : split;
  const left = yield* grown(leaves.slice(0, end), depth + 1);
  const right = yield* grown(leaves.slice(end), depth + 1);
  return { hash: nodeHash(left.hash, right.hash), sides: [left, right] };
}

/** The hash of a subtree with one leaf. It stays at its depth: moved up, it would tell its position to who asks nearby. */
function alone({ position, hash: leaf }: Leaf, depth: number): Buffer {
  let node = leaf;
  for (let at = DEPTH - 1; at >= depth; at--)
    node = bitAt(position, at) === 0 ? nodeHash(node, EMPTY) : nodeHash(EMPTY, node);
  return node;
}

/** The hashes beside the path of a position, from the root to its leaf or to where there is no key any more. */
function pathTo(position: Buffer, root: Tree): Buffer[] {
  const path: Buffer[] = [];
  let at = root;
  for (let depth = 0; depth < DEPTH && at.hash !== EMPTY; depth++) {
    const own = bitAt(position, depth);
    const [left, right] = at.sides ?? sidesOf(at.leaf as Leaf, depth);
    path.push((own === 0 ? right : left).hash);
    at = own === 0 ? left : right;
  }
  return path;
}

/** Both sides below a subtree with one leaf. */
function sidesOf(leaf: Leaf, depth: number): readonly [Tree, Tree] {
  const side = { hash: alone(leaf, depth + 1), leaf };
  return bitAt(leaf.position, depth) === 0 ? [side, { hash: EMPTY }] : [{ hash: EMPTY }, side];
}

/** Where a key stands. The head of the checkpoint makes positions that collide impossible to prepare. */
function positionOf(head: string, key: string): Buffer {
  return hash("sha256", `reeve-index/1\n${head}\n${key}`, "buffer");
}

function blindOf(secret: Buffer, position: Buffer): string {
  return createHmac("sha256", secret).update(position).digest("hex");
}

function bitAt(position: Buffer, depth: number): number {
  return ((position[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1;
}
