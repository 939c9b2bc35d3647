import type { KeyObject } from "node:crypto";
import type { Checkpoint } from "#families/options.js";
import { GENESIS_HASH } from "#store/chain.js";
import type { Reader } from "#store/store.js";
import { isSignedBy, keyIdOf } from "../checkpoints/checkpoint.js";
import { chainStart, checkpointsWithin, newestCheckpoint } from "../checkpoints/stored.js";
import { requireBounds } from "./bounds.js";
import { compareCheckpoint } from "./compare.js";
import { ChainWalk } from "./walk.js";

const BATCH = 1_000;

/** The range to verify, and checkpoints and a key to compare with. A range of other than whole numbers is a `TypeError`. */
export interface VerifyOptions {
  /** Start after this sequence. The start of the chain when absent or 0. */
  readonly after?: number;
  /** The most events to check. */
  readonly limit?: number;
  /** Checkpoints stored elsewhere, as passed to `anchor`. Those of the store are always compared. */
  readonly checkpoints?: readonly Checkpoint[];
  /**
   * A key, public or private. Checkpoints that name it must carry its valid signature. A chain that is verified to its
   * end without one of them is not valid.
   */
  readonly key?: KeyObject;
}

/** How far a verification came, and the first fault. */
export interface ChainVerification {
  readonly valid: boolean;
  readonly checked: number;
  readonly from: number;
  readonly to: number;
  readonly headHash: string;
  /** Checkpoints that were compared with the chain. Where there is a key, those that are signed. */
  readonly checkpoints: number;
  /** The last event that a signature by the key reaches. `null` where none does, and without a key. */
  readonly signedTo: number | null;
  readonly complete: boolean;
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}

/**
 * Verifies a tenant's chain in bounded memory: sequences without gaps, links, hashes of attributes and of data not
 * erased, and checkpoints. A pruned chain starts behind its last pruned checkpoint. Events cut off after the newest
 * known checkpoint go unnoticed; compare `headHash` with one kept elsewhere.
 */
export async function verifyChain(reader: Reader, options: VerifyOptions = {}): Promise<ChainVerification> {
  requireBounds({ after: options.after, limit: options.limit });
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const after = options.after ?? 0;
  const walk = await startOf(reader, after);
  if (!walk) return notThere(after);
  const from = walk.sequence;
  const comparison = new Comparison(reader, options);
  const report = (complete: boolean, fault: ChainVerification["fault"]): ChainVerification => ({
    valid: fault === null,
    checked: walk.sequence - from,
    from,
    to: walk.sequence,
    headHash: walk.hash,
    checkpoints: comparison.compared,
    signedTo: comparison.signedTo,
    complete,
    fault,
  });
  const gone = await comparison.ofPruned(after, from);
  if (gone) return report(false, gone);
  await comparison.reach(from - 1, from);
  await comparison.before(from);
  const atStart = comparison.fault(from, walk.hash) ?? (await comparison.unsigned(from));
  if (atStart !== undefined) return report(false, { sequence: from, reason: atStart });
  while (walk.sequence - from < limit) {
    const at = walk.sequence;
    const events = await reader.scanEvents({ after: at, size: Math.min(BATCH, limit - (at - from)) });
    if (events.length === 0) break;
    await comparison.reach(at, at + events.length);
    for (const event of events) {
      const sequence = walk.sequence + 1;
      const reason = walk.step(event) ?? comparison.fault(sequence, walk.hash);
      if (reason !== undefined) return report(false, { sequence, reason });
    }
  }
  const complete = (await reader.scanEvents({ after: walk.sequence, size: 1 })).length === 0;
  const cut = complete ? ((await comparison.cutOff(walk.sequence)) ?? comparison.notReached()) : undefined;
  return report(complete, cut === undefined ? null : { sequence: walk.sequence + 1, reason: cut });
}

/** What is said of a chain that lacks the event behind which to start. It was there when somebody came so far. */
function notThere(after: number): ChainVerification {
  const fault = { sequence: after, reason: "the end is missing: there is no such event" };
  const place = { from: after, to: after, headHash: GENESIS_HASH };
  return { valid: false, checked: 0, ...place, checkpoints: 0, signedTo: null, complete: false, fault };
}

/** A walk from the start of the chain, or from behind the event with sequence `after` if there is one. */
async function startOf(reader: Reader, after: number): Promise<ChainWalk | undefined> {
  const start = (await chainStart(reader))?.checkpoint;
  if (start && after <= start.toSeq) return new ChainWalk(start.toSeq, start.headHash);
  if (after === 0) return new ChainWalk(0, GENESIS_HASH);
  const [event] = await reader.scanEvents({ after: after - 1, size: 1 });
  return event?.sequence === after ? new ChainWalk(after, event.eventHash) : undefined;
}

/** Compares the chain with checkpoints of the store and of the caller during the walk. */
class Comparison {
  compared = 0;
  signedTo: number | null = null;
  #near: readonly Checkpoint[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly options: VerifyOptions,
  ) {}

  /** Loads the checkpoints that end after `after` and at or before `to`. */
  async reach(after: number, to: number): Promise<void> {
    const stored = await checkpointsWithin(this.reader, after + 1, to);
    const given = (this.options.checkpoints ?? []).filter(({ toSeq }) => toSeq > after && toSeq <= to);
    this.#near = [...stored.map(({ checkpoint }) => checkpoint), ...given];
  }

  /** The fault that given checkpoints show in what was pruned between `after` and the start of the chain. */
  async ofPruned(after: number, start: number): Promise<ChainVerification["fault"] | undefined> {
    for (const checkpoint of this.options.checkpoints ?? []) {
      const { toSeq: sequence, at } = checkpoint;
      if (sequence <= after || sequence >= start) continue;
      if ((await compareCheckpoint(this.reader, checkpoint)) !== "same")
        return { sequence, reason: `a checkpoint of ${at} knows another event here` };
      if (!this.#isGenuine(checkpoint)) return { sequence, reason: `the checkpoint of ${at} is not signed as it says` };
      this.#count(checkpoint);
    }
    return undefined;
  }

  /** Looks for a signature that reaches what stands before `from`, where the walk starts behind it. */
  async before(from: number): Promise<void> {
    const last = this.options.key && from > 0 && (await newestCheckpoint(this.reader, from - 1))?.checkpoint;
    if (!last || !this.#isSigned(last)) return;
    if ((await compareCheckpoint(this.reader, last)) === "same") this.signedTo = last.toSeq;
  }

  /** The fault where there is a key and no signature by it. "Every checkpoint is signed" holds where all were taken out. */
  notReached(): string | undefined {
    if (!this.options.key || this.signedTo !== null) return undefined;
    return "no checkpoint is signed by the key, so no signature reaches an event";
  }

  /** The fault that checkpoints show in the event with this sequence and hash. */
  fault(sequence: number, hash: string): string | undefined {
    for (const checkpoint of this.#near.filter(({ toSeq }) => toSeq === sequence)) {
      if (checkpoint.headHash !== hash) return `a checkpoint of ${checkpoint.at} knows another event here`;
      if (!this.#isGenuine(checkpoint)) return `the checkpoint of ${checkpoint.at} is not signed as it says`;
      this.#count(checkpoint);
    }
    return undefined;
  }

  /** The fault when the checkpoint behind which the chain begins has lost its signature. */
  async unsigned(sequence: number): Promise<string | undefined> {
    const start = this.options.key && this.#near.find(({ toSeq, signature }) => toSeq === sequence && !signature);
    if (!start) return undefined;
    const before = (await newestCheckpoint(this.reader, sequence - 1))?.checkpoint;
    return before?.signature && `the checkpoint of ${start.at} is not signed, and the one before it is`;
  }

  /** The fault when the chain ends before a known checkpoint. */
  async cutOff(end: number): Promise<string | undefined> {
    const newest = (await newestCheckpoint(this.reader))?.checkpoint;
    const beyond = [...(newest ? [newest] : []), ...(this.options.checkpoints ?? [])].find(({ toSeq }) => toSeq > end);
    return beyond && `the end is missing: a checkpoint of ${beyond.at} knows ${beyond.toSeq} events`;
  }

  /** Counts one that agrees with the chain. */
  #count(checkpoint: Checkpoint): void {
    if (!this.options.key || checkpoint.signature) this.compared += 1;
    if (this.#isSigned(checkpoint)) this.signedTo = Math.max(checkpoint.toSeq, this.signedTo ?? 0);
  }

  #isSigned(checkpoint: Checkpoint): boolean {
    return this.options.key !== undefined && isSignedBy(checkpoint, this.options.key);
  }

  #isGenuine(checkpoint: Checkpoint): boolean {
    const { key } = this.options;
    return !key || checkpoint.signature?.kid !== keyIdOf(key) || isSignedBy(checkpoint, key);
  }
}
