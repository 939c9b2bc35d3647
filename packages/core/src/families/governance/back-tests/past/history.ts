import type { ReadContext } from "#kernel/operation/read-context.js";
import type { StoredEvent } from "#store/event-log.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { Envelope } from "./past.js";

const BATCH = 1_000;
/** The most events that one back-test reads. */
export const MOST_EVENTS = 50_000;
/** The time limit of one back-test, in milliseconds. */
export const LOOKING_MS = 5_000;

/** An event and its envelope. */
export interface Happened {
  readonly event: StoredEvent;
  readonly envelope: Envelope;
}

/** The events since a moment, newest first. */
export class History {
  /** The start of the complete history. Later than requested when events were pruned or are too many. */
  since: string;

  constructor(
    private readonly ctx: ReadContext,
    readonly asked: string,
  ) {
    this.since = asked;
  }

  /** All events in chunks, yielding to the event loop between them. */
  async *batches(): AsyncGenerator<readonly Happened[]> {
    const yielder = new EventLoopYielder();
    let before: number | undefined;
    let last: Happened | undefined;
    for (let reported = 0; reported < MOST_EVENTS; reported += BATCH) {
      const { events, next } = await this.ctx.db.events({ size: BATCH, ...(before === undefined ? {} : { before }) });
      const batch = events.map((event) => ({ event, envelope: JSON.parse(event.attributes) as Envelope }));
      const end = batch.findIndex(({ envelope }) => envelope.time < this.asked);
      yield end < 0 ? batch : batch.slice(0, end);
      await yielder.pass();
      if (end >= 0) return;
      last = batch.at(-1) ?? last;
      if (next === undefined) {
        // Unless the oldest stored event is the first of the chain, events before it were pruned.
        if (last && last.event.sequence > 1) this.since = last.envelope.time;
        return;
      }
      before = next;
    }
    if (last) this.since = last.envelope.time;
  }
}
