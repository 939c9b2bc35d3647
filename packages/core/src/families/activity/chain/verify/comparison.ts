import type { Checkpoint } from "#families/options.js";
import type { Reader } from "#store/store.js";
import { isSignedBy, keyIdOf } from "../checkpoints/checkpoint.js";
import { checkpointsWithin, newestCheckpoint } from "../checkpoints/stored.js";
import { compareCheckpoint } from "./compare.js";
import type { ChainVerification, VerifyOptions } from "./verification.js";

/** Compares the chain with checkpoints of the store and of the caller during the walk. */
export class Comparison {
  compared = 0;
  signedTo: number | null = null;
  #near: readonly Checkpoint[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly options: Pick<VerifyOptions, "checkpoints" | "key">,
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
    if (!last || !this.isSigned(last)) return;
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

  /** The stored checkpoint that ends with this event, if there is one. */
  endingAt(sequence: number): Checkpoint | undefined {
    return this.#near.find(({ toSeq }) => toSeq === sequence);
  }

  /** Whether it carries the valid signature of the key. */
  isSigned(checkpoint: Checkpoint): boolean {
    return this.options.key !== undefined && isSignedBy(checkpoint, this.options.key);
  }

  /** Counts one that agrees with the chain. */
  #count(checkpoint: Checkpoint): void {
    if (!this.options.key || checkpoint.signature) this.compared += 1;
    if (this.isSigned(checkpoint)) this.signedTo = Math.max(checkpoint.toSeq, this.signedTo ?? 0);
  }

  #isGenuine(checkpoint: Checkpoint): boolean {
    const { key } = this.options;
    return !key || checkpoint.signature?.kid !== keyIdOf(key) || isSignedBy(checkpoint, key);
  }
}
