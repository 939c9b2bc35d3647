import { createHash } from "node:crypto";
import type { Checkpoint } from "#families/options.js";
import { canonical } from "#kernel/events/canonical.js";
import { eventText } from "#kernel/events/events.js";
import type { StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";
import { chainStart, checkpointsWithin, newestCheckpoint } from "../chain/checkpoints/stored.js";
import type { StoredCheckpoint } from "../chain/schema.js";
import { DISORDER, firstOfMoment } from "../events/first-of-moment.js";
import { type Criteria, keysAsked } from "./fit-criteria.js";
import { provenSegment } from "./prove-segment.js";

/** How much reading a checkpoint costs besides its events, in events. */
const CHECKPOINT_COST = 20;

/** Which events to export with their proof, and limits. */
export interface SliceRange {
  readonly criteria?: Criteria;
  /** RFC 3339 UTC with milliseconds, included. */
  readonly from?: string;
  /** RFC 3339 UTC with milliseconds, excluded. */
  readonly before?: string;
  /** Goes on after this sequence. */
  readonly after?: number;
  /** The most events to show. */
  readonly limit?: number;
  /** Shows no further event once this many bytes are written. */
  readonly bytes?: number;
  /** Begins no further checkpoint once about this many events are read. */
  readonly walked?: number;
  /** How whoever exports sees an event. As it is stored when absent. */
  readonly view?: (event: StoredEvent) => StoredEvent;
}

/**
 * The events of a tenant that fit some criteria, as lines of canonical JSON, with the proof that they are in the chain
 * and that none of them is left out between `after` and `to` of the trailer. It tells of other events only hashes.
 */
export async function* exportSlice(reader: Reader, range: SliceRange = {}): AsyncGenerator<string, void> {
  const { criteria = {}, from, before, view = (event: StoredEvent) => event } = range;
  const {
    limit = Number.POSITIVE_INFINITY,
    bytes = Number.POSITIVE_INFINITY,
    walked = Number.POSITIVE_INFINITY,
  } = range;
  const content = createHash("sha256");
  let size = 0;
  const line = (value: object) => {
    const text = `${canonical(value)}\n`;
    content.update(text);
    size += Buffer.byteLength(text);
    return text;
  };
  const head = await newestCheckpoint(reader);
  const asked = keysAsked(criteria);
  const begin = head ? await beginOf(reader, head, range) : 0;
  const time = { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) };
  const about = { format: "reeve-slice/1", chainid: reader.tenantId, criteria, ...time, after: begin };
  const timeStamp = head?.timeStamp ? { timeStamp: head.timeStamp.token } : {};
  yield line({ slice: { ...about, head: head?.checkpoint ?? null, place: head?.place ?? null, ...timeStamp } });
  let [at, events, read, isFull] = [begin, 0, 0, false];
  let complete = head?.checkpoint.toSeq === at;
  while (head && !complete && !isFull) {
    const [row] = await checkpointsWithin(reader, at + 1, head.checkpoint.toSeq, 1);
    if (!row) break;
    const { checkpoint } = row;
    const segment = await provenSegment(reader, row, head, asked);
    yield line(segment.line);
    const left = segment.events.filter(({ event }) => event.sequence > at);
    at = checkpoint.toSeq;
    for (const { event, time: moment, path } of left) {
      if (events >= limit || (events > 0 && size >= bytes)) {
        [at, isFull] = [event.sequence - 1, true];
        break;
      }
      const isInTime = (from === undefined || moment >= from) && (before === undefined || moment < before);
      yield line({ event: JSON.parse(eventText(isInTime ? view(event) : { ...event, data: null })), path });
      events += 1;
    }
    complete = !isFull && (at === head.checkpoint.toSeq || isBehind(checkpoint, before));
    read += hashesOf(checkpoint) + CHECKPOINT_COST;
    isFull ||= read >= walked || size >= bytes || events >= limit;
  }
  const facts = { format: "reeve-slice/1", after: begin, to: at, events, complete };
  yield line({ trailer: { ...facts, sha256: content.copy().digest("hex") } });
}

const hashesOf = ({ fromSeq, toSeq }: Checkpoint) => toSeq - fromSeq + 1;

/** Whether a checkpoint ends with an event so far behind a moment that none before it follows. */
function isBehind({ index }: Checkpoint, before: string | undefined): boolean {
  return before !== undefined && index !== undefined && Date.parse(index.lastTime) >= Date.parse(before) + DISORDER;
}

/** Behind which sequence to begin: a checkpoint begins there that has an event before the span of time, if there is one. */
async function beginOf(
  reader: Reader,
  { checkpoint: head }: StoredCheckpoint,
  { from, after = 0 }: SliceRange,
): Promise<number> {
  const first = await firstOfMoment(reader, from === undefined ? undefined : Date.parse(from) - DISORDER);
  // Where all events are older, the last one is the one before.
  const earliest = Math.min(first ?? (from === undefined ? 1 : head.toSeq + 1), head.toSeq + 1);
  const [begins] = await checkpointsWithin(reader, Math.max(1, earliest - 1), head.toSeq, 1);
  const start = (await chainStart(reader))?.checkpoint.toSeq ?? 0;
  return Math.min(head.toSeq, Math.max(after, start, (begins?.checkpoint.fromSeq ?? 1) - 1));
}
