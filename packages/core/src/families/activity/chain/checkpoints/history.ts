import type { Checkpoint, CheckpointHistory } from "#families/options.js";
import type { Reader } from "#store/store.js";
import { checkpoints, type StoredCheckpoint } from "../schema.js";
import { checkpointText } from "./checkpoint.js";
import { leafHash, nodeHash, rootOfPeaks } from "./merkle.js";

/** A complete subtree of the tree of checkpoints: that of `2 ** height` leaves which ends with the leaf `last`. */
interface Subtree {
  readonly last: number;
  readonly height: number;
}

/** Complete subtrees of the leaves from `start` to before `end`, the largest first. `start` is where a subtree begins. */
function subtreesOf(start: number, end: number): Subtree[] {
  const found: Subtree[] = [];
  for (let at = start; at < end; ) {
    const height = Math.floor(Math.log2(end - at));
    at += 2 ** height;
    found.push({ last: at - 1, height });
  }
  return found;
}

/** Reads hashes of subtrees. Each is kept with the checkpoint that completed it, so that none is computed again. */
async function hashesOf(reader: Reader, subtrees: readonly Subtree[]): Promise<Buffer[]> {
  if (subtrees.length === 0) return [];
  const places = subtrees.map(({ last }) => ({ place: last }));
  const rows = await reader.lookupMany(checkpoints, "place", places);
  return subtrees.map(({ last, height }, at) => {
    const node = rows[at]?.value.nodes[height];
    if (node === undefined) throw new Error(`checkpoint ${last} lacks its hash of height ${height}`);
    return Buffer.from(node, "hex");
  });
}

/** The tree of all checkpoints of a tenant, which grows by one. */
export interface GrowingHistory {
  readonly history: CheckpointHistory;
  /** The hashes that the tree grows by with the next checkpoint, the leaf first. */
  nodesOf(next: Checkpoint): string[];
}

/** The tree of all checkpoints up to the newest one, from a logarithmic number of kept hashes. */
export async function historyOf(reader: Reader, newest: StoredCheckpoint | undefined): Promise<GrowingHistory> {
  const size = newest ? newest.place + 1 : 0;
  const subtrees = subtreesOf(0, size);
  const peaks = await hashesOf(reader, subtrees);
  const history = { size, root: rootOfPeaks(peaks).toString("hex") };
  return {
    history,
    nodesOf(next) {
      const nodes = [leafHash(Buffer.from(checkpointText(next)))];
      const left = [...peaks];
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        nodes.push(nodeHash(left.pop() as Buffer, nodes.at(-1) as Buffer));
      return nodes.map((node) => node.toString("hex"));
    },
  };
}

/** The inclusion proof of a checkpoint in the tree of the first `size` ones: hashes beside its path, from below, as hex. */
export async function pathInHistory(reader: Reader, place: number, size: number): Promise<string[]> {
  const beside: Subtree[][] = [];
  for (let height = 0; 2 ** height < size; height++) {
    const start = (Math.floor(place / 2 ** height) ^ 1) * 2 ** height;
    if (start < size) beside.push(subtreesOf(start, Math.min(size, start + 2 ** height)));
  }
  const hashes = await hashesOf(reader, beside.flat());
  let at = 0;
  return beside.map((subtrees) => {
    const peaks = hashes.slice(at, at + subtrees.length);
    at += subtrees.length;
    return rootOfPeaks(peaks).toString("hex");
  });
}
