import type { StoredEvent } from "#store/event-log.js";
import { inTurns } from "#store/event-loop.js";
import type { Reader } from "#store/store.js";
import { pathInHistory } from "../chain/checkpoints/history.js";
import { type Envelope, type IndexProof, IndexTree } from "../chain/checkpoints/index-tree.js";
import { MerkleTree } from "../chain/checkpoints/merkle.js";
import type { StoredCheckpoint } from "../chain/schema.js";
import { fits } from "./fit-criteria.js";

const BATCH = 500;

/** The events of one checkpoint, of which some are shown, and what proves them. */
export interface Segment {
  /** The line that comes before its events. */
  readonly line: object;
  /** The events that fit, with the proof that each is in the tree of the checkpoint. */
  readonly events: readonly { readonly event: StoredEvent; readonly time: string; readonly path: readonly string[] }[];
}

/**
 * Reads the events of a checkpoint and proves those that fit. The checkpoint itself is proven to be in the history of
 * `head`. Throws where the stored events are not those that the checkpoint was made of.
 */
export async function provenSegment(
  reader: Reader,
  { checkpoint, place }: StoredCheckpoint,
  head: StoredCheckpoint,
  asked: readonly (readonly string[])[],
): Promise<Segment> {
  const { fromSeq, toSeq } = checkpoint;
  const [hashes, index]: [string[], IndexTree] = [[], new IndexTree()];
  const found: { readonly event: StoredEvent; readonly time: string }[] = [];
  for (let at = fromSeq - 1; at < toSeq; ) {
    const events = await reader.scanEvents({ after: at, size: Math.min(BATCH, toSeq - at) });
    for (const event of events) {
      hashes.push(event.eventHash);
      index.add(event);
      const envelope = JSON.parse(event.attributes) as Envelope;
      if (fits(envelope, asked)) found.push({ event, time: envelope.time });
    }
    const last = events.at(-1);
    if (!last) break;
    at = last.sequence;
  }
  const tree = await inTurns(MerkleTree.grown(hashes));
  if (tree.root() !== checkpoint.merkleRoot)
    throw new Error(`events ${fromSeq} to ${toSeq} are not those of their checkpoint`);
  const path = place === head.place ? [] : await pathInHistory(reader, place, head.place);
  return {
    line: { segment: { checkpoint, place, path, keys: checkpoint.index ? await proofsOf(index, asked.flat()) : null } },
    events: found.map((each) => ({ ...each, path: tree.pathOf(each.event.sequence - fromSeq) })),
  };
}

async function proofsOf(index: IndexTree, keys: readonly string[]): Promise<IndexProof[]> {
  const proofs: IndexProof[] = [];
  for (const key of keys) proofs.push(await inTurns(index.prove(key)));
  return proofs;
}
