import { createHash } from "node:crypto";
import { eventText } from "#kernel/events/events.js";
import { GENESIS_HASH } from "#store/chain.js";
import type { StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";
import { checkpointsWithin } from "../chain/checkpoints/stored.js";
import { requireBounds } from "../chain/verify/bounds.js";
import { headOf } from "../chain/verify/compare.js";
import { timeOf } from "../events/first-of-moment.js";

const BATCH = 200;

/** Which events are shown with their data. All others of the range are exported without. */
export interface Slice {
  /** Ids of one subject. Their activity is shown. */
  readonly ids: readonly string[];
  /** RFC 3339 UTC, included. */
  readonly from?: string;
  /** RFC 3339 UTC, excluded. */
  readonly before?: string;
}

/** Which events to export, and limits. Other than whole numbers are a `TypeError`. */
export interface ExportRange {
  /** Export events after this sequence. The start of the chain when absent. */
  readonly after?: number;
  /** Export up to this sequence. */
  readonly to?: number;
  /** The most events to export. */
  readonly limit?: number;
  /** Starts no further event once this many bytes are written. */
  readonly bytes?: number;
  /** How whoever exports sees an event. As it is stored when absent. */
  readonly view?: (event: StoredEvent) => StoredEvent;
  /** Exports the data of these events only, and says so in the first line. */
  readonly slice?: Slice;
}

/**
 * Events of a tenant in order as JSON lines, as the API serves them, in bounded memory. A checkpoint follows the last
 * event it covers. The last line is `{"trailer": …}`: counts, and the SHA-256 of all bytes before that line. A slice begins
 * with `{"slice": …}`.
 */
export async function* exportEvents(reader: Reader, range: ExportRange = {}): AsyncGenerator<string, void> {
  const { view = (event: StoredEvent) => event, slice, ...bounds } = range;
  requireBounds({ ...bounds });
  const { to = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = range;
  const content = createHash("sha256");
  const [first] = await reader.scanEvents({ after: range.after ?? 0, size: 1 });
  const after = first ? first.sequence - 1 : (range.after ?? 0);
  // Nothing is known of what follows an event that is not there, or not yet on a replica.
  const isThere = first !== undefined || after <= (await headOf(reader));
  let [at, headHash, written] = [after, first?.prevHash ?? (await hashOf(reader, after)), 0];
  const line = (text: string) => {
    content.update(text).update("\n");
    written += Buffer.byteLength(text) + 1;
    return `${text}\n`;
  };
  if (slice) yield line(JSON.stringify({ slice }));
  for (const stored of await checkpointsWithin(reader, after, after)) {
    yield line(JSON.stringify({ checkpoint: stored.checkpoint }));
  }
  const room = () => Math.min(BATCH, limit - (at - after), to - at);
  let complete = false;
  while (room() > 0 && written < bytes) {
    const events = await reader.scanEvents({ after: at, size: room() });
    complete = events.length === 0;
    if (complete) break;
    const kept = await checkpointsWithin(reader, at + 1, at + events.length);
    const isShown = await shownOf(reader, slice, events);
    for (const event of events) {
      if (written >= bytes) break;
      yield line(eventText(isShown(event) ? view(event) : { ...event, data: null }));
      [at, headHash] = [event.sequence, event.eventHash];
      for (const { checkpoint } of kept.filter(({ checkpoint: { toSeq } }) => toSeq === at)) {
        yield line(JSON.stringify({ checkpoint }));
      }
    }
  }
  complete ||= (await reader.scanEvents({ after: at, size: 1 })).length === 0;
  complete &&= isThere;
  const facts = { format: "reeve-events/1", after, to: at, events: at - after, headHash, complete };
  yield `${JSON.stringify({ trailer: { ...facts, sha256: content.digest("hex") } })}\n`;
}

/** Which of a few events that follow each other a slice shows. */
async function shownOf(
  reader: Reader,
  slice: Slice | undefined,
  events: readonly StoredEvent[],
): Promise<(event: StoredEvent) => boolean> {
  if (!slice) return () => true;
  const { ids, from = "", before: end } = slice;
  const size = events.length;
  const before = (events.at(-1)?.sequence ?? 0) + 1;
  const own = new Set((await reader.events({ stream: ids, size, before })).events.map(({ sequence }) => sequence));
  return (event) => {
    if (!own.has(event.sequence)) return false;
    const time = timeOf(event);
    return time >= from && (end === undefined || time < end);
  };
}

/** The hash of an event, also of one that was pruned at a checkpoint. That of the start of a chain if it is not there. */
async function hashOf(reader: Reader, sequence: number): Promise<string> {
  if (sequence === 0) return GENESIS_HASH;
  const [event] = await reader.scanEvents({ after: sequence - 1, size: 1 });
  if (event?.sequence === sequence) return event.eventHash;
  const [kept] = await checkpointsWithin(reader, sequence, sequence);
  return kept?.checkpoint.headHash ?? GENESIS_HASH;
}
