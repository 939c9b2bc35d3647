import type { KeyObject } from "node:crypto";
import type { StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";
import { chainStart, newestCheckpoint } from "../checkpoints/stored.js";
import type { ChainTimeline, TimelinePart } from "../schema.js";
import { Comparison } from "./comparison.js";
import { ChainWalk } from "./walk.js";
import { startOf } from "./walk-start.js";

const BATCH = 1_000;
/** The most parts of one answer. A chain that was torn to pieces has one for each. */
const MOST_PARTS = 1_000;

interface TimelineOptions {
  /** Start after this sequence; 0 for where the chain begins. */
  readonly after: number;
  /** The most events to look at. */
  readonly limit: number;
  readonly key: KeyObject | undefined;
}

/**
 * Walks a chain as its verification does, and goes on behind each fault: what is whole, missing, broken or given up,
 * and where checkpoints end. The memory it takes is bounded by `limit`, and by a thousand parts.
 */
export async function chainTimeline(reader: Reader, { after, limit, key }: TimelineOptions): Promise<ChainTimeline> {
  const comparison = new Comparison(reader, key ? { key } : {});
  const parts = new Parts();
  const pruned = (await chainStart(reader))?.checkpoint;
  if (pruned && after < pruned.toSeq) {
    const checkpoint = { at: pruned.at, signed: comparison.isSigned(pruned) };
    parts.add({ ...PLAIN, state: "pruned", from: after + 1, to: pruned.toSeq, checkpoint });
  }
  let walk = (await startOf(reader, after)) ?? new ChainWalk(after, "");
  const from = walk.sequence;
  let looked = 0;
  let isCut = false;
  while (looked < limit && !isCut) {
    const at = walk.sequence;
    const events = await reader.scanEvents({ after: at, size: Math.min(BATCH, limit - looked) });
    const last = events.at(-1);
    if (!last) break;
    await comparison.reach(at, last.sequence);
    for (const event of events) {
      if (event.sequence > walk.sequence + 1) {
        parts.missing(walk.sequence + 1, event.sequence - 1);
        walk = new ChainWalk(event.sequence - 1, event.prevHash);
      }
      const reason = walk.step(event) ?? comparison.fault(event.sequence, event.eventHash);
      if (reason !== undefined) walk = new ChainWalk(event.sequence, event.eventHash);
      const ending = comparison.endingAt(event.sequence);
      const checkpoint = ending && { at: ending.at, signed: comparison.isSigned(ending) };
      parts.take(event, reason, checkpoint);
      looked += 1;
      isCut = parts.all.length >= MOST_PARTS;
      if (isCut) break;
    }
  }
  const isComplete = (await reader.scanEvents({ after: walk.sequence, size: 1 })).length === 0;
  const newest = isComplete ? (await newestCheckpoint(reader))?.checkpoint : undefined;
  if (newest && newest.toSeq > walk.sequence) parts.missing(walk.sequence + 1, newest.toSeq);
  return { from: Math.min(after, from), to: walk.sequence, complete: isComplete, parts: parts.all };
}

const PLAIN = { fromAt: null, toAt: null, erased: 0, reason: null, checkpoint: null };

/** Parts of a chain, each of events that follow each other and are alike. A checkpoint ends its part. */
class Parts {
  readonly all: TimelinePart[] = [];

  add(part: TimelinePart): void {
    this.all.push(part);
  }

  missing(from: number, to: number): void {
    this.add({ ...PLAIN, state: "missing", from, to });
  }

  /** Takes the next event into the part that it goes on with, or begins one. */
  take(event: StoredEvent, reason: string | undefined, checkpoint: TimelinePart["checkpoint"] | undefined): void {
    const at = timeOf(event);
    const erased = event.data === null ? 1 : 0;
    const last = this.all.at(-1);
    const goesOn = reason === undefined && last?.state === "whole" && last.checkpoint === null;
    const before = goesOn ? (this.all.pop() as TimelinePart) : undefined;
    this.add({
      state: reason === undefined ? "whole" : "broken",
      from: before?.from ?? event.sequence,
      to: event.sequence,
      fromAt: before?.fromAt ?? at,
      toAt: at,
      erased: (before?.erased ?? 0) + erased,
      reason: reason ?? null,
      checkpoint: checkpoint ?? null,
    });
  }
}

/** When an event happened, by its attributes; `null` where they were changed beyond recognition. */
function timeOf({ attributes }: StoredEvent): string | null {
  return /"time":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(attributes)?.[1] ?? null;
}
