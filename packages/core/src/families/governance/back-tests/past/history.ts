import type { ReadContext } from "../../../../kernel/read-context.js";
import { Turns } from "../../../../kernel/turns.js";
import type { StoredEvent } from "../../../../store/event-log.js";
import type { Envelope } from "./past.js";

const BATCH = 1_000;
/** Events that one back-test goes back over. */
export const MOST_EVENTS = 50_000;
/** How long one back-test looks, in ms; then it says how far it came. */
export const LOOKING_MS = 5_000;

/** An event and its envelope. */
export interface Happened {
  readonly event: StoredEvent;
  readonly envelope: Envelope;
}

/** What has happened since a moment, the newest first, and how far back that was told. */
export class History {
  /** The moment back to which everything was told; as asked unless events are no more there or too many. */
  since: string;

  constructor(
    private readonly ctx: ReadContext,
    readonly asked: string,
  ) {
    this.since = asked;
  }

  /** All of it in parts, between which others in this process have their turn. */
  async *batches(): AsyncGenerator<readonly Happened[]> {
    const turns = new Turns();
    let before: number | undefined;
    let last: Happened | undefined;
    for (let told = 0; told < MOST_EVENTS; told += BATCH) {
      const { events, next } = await this.ctx.db.events({ size: BATCH, ...(before === undefined ? {} : { before }) });
      const batch = events.map((event) => ({ event, envelope: JSON.parse(event.attributes) as Envelope }));
      const end = batch.findIndex(({ envelope }) => envelope.time < this.asked);
      yield end < 0 ? batch : batch.slice(0, end);
      await turns.pass();
      if (end >= 0) return;
      last = batch.at(-1) ?? last;
      if (next === undefined) {
        // What came before the first event that is there was pruned, unless it is the first of all.
        if (last && last.event.sequence > 1) this.since = last.envelope.time;
        return;
      }
      before = next;
    }
    if (last) this.since = last.envelope.time;
  }
}
