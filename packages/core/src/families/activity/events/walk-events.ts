import { eventText } from "#kernel/events/events.js";
import { cursorScope, fittingTexts, readWindow, sealCursor } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { Page } from "#kernel/records/outcome.js";
import { timestamp } from "#ports/clock.js";
import type { EventStreams, StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";
import type { ActivityQuery } from "./filter/query.js";
import { wholeTypes } from "./filter/types.js";
import { holdsWords, wordsInEvents } from "./filter/words.js";
import { DISORDER, firstOfMoment } from "./first-of-moment.js";

/** The most events that one request reads. A page without a match still has a cursor to the events after them. */
export const WALKED_EVENTS = 5_000;
const BATCH = 1_000;

/** The attributes of an event that filters compare. */
interface Envelope {
  readonly type: string;
  readonly severitytext: string;
  readonly authid: string;
  readonly outcome: string;
  readonly time: string;
}

/**
 * A page of matching events of the tenant or of some streams, newest first. It reads a bounded number of events. A page
 * may therefore be short or empty and still have a cursor.
 */
export async function filteredEvents(ctx: ReadContext, query: ActivityQuery, stream?: EventStreams): Promise<Page> {
  const { page, size, cursor, ...filter } = query;
  const paging = { page, size, cursor };
  if (Object.keys(filter).length === 0) return ctx.events(paging, stream);
  const { secretBox } = ctx.env;
  const scope = cursorScope(ctx.db.tenantId, "events", [stream ?? null, filter]);
  const window = readWindow(paging, scope, secretBox, ctx.request.nowMs);
  const wanted = window.after ? window.size : (window.page + 1) * window.size;
  const lets = filterOf(filter, filter.type && wholeTypes(ctx, filter.type));
  const words = wordsInEvents(filter.search ?? "");
  const from = filter.from === undefined ? undefined : timestamp(Date.parse(filter.from) - DISORDER);
  const end = filter.to === undefined ? undefined : Date.parse(filter.to) + DISORDER;
  const start = window.after ? Number(window.after.by) : await firstOfMoment(ctx.db, end);
  const view = eventView(ctx);
  const walk = await walkBack(ctx.db, { stream, start, from, lets, view, words, wanted });
  const items = walk.found.slice(window.after ? 0 : window.page * window.size, wanted);
  const texts = items.map(eventText);
  const fitting = fittingTexts(texts);
  const follows = fitting < texts.length ? items[fitting - 1]?.sequence : walk.next;
  const next = follows === undefined ? undefined : { by: follows, id: "" };
  return new Page(
    `[${texts.slice(0, fitting).join(",")}]`,
    window.page,
    window.size,
    { count: walk.found.length, exact: walk.next === undefined && !window.after },
    sealCursor(next, window.page, scope, secretBox, ctx.request.nowMs),
  );
}

interface Walk {
  readonly stream: EventStreams | undefined;
  /** Reads events before this sequence. */
  readonly start: number | undefined;
  /** Stops at events older than this time. */
  readonly from: string | undefined;
  readonly lets: (event: Envelope) => boolean;
  /** How the caller sees an event. What is hidden is not found. */
  readonly view: (event: StoredEvent) => StoredEvent;
  /** Words that the event must contain. */
  readonly words: readonly string[];
  readonly wanted: number;
}

/**
 * The events found, with one more than wanted when there is one. `next` is the sequence to continue before, `undefined`
 * at the end.
 */
async function walkBack(
  reader: Reader,
  { stream, start, from, lets, view, words, wanted }: Walk,
): Promise<{ readonly found: readonly StoredEvent[]; readonly next: number | undefined }> {
  const found: StoredEvent[] = [];
  let before = start;
  for (let walked = 0; walked < WALKED_EVENTS; walked += BATCH) {
    const query = {
      size: BATCH,
      ...(stream === undefined ? {} : { stream }),
      ...(before === undefined ? {} : { before }),
    };
    const { events, next } = await reader.events(query);
    for (const event of events) {
      const envelope = JSON.parse(event.attributes) as Envelope;
      if (from !== undefined && envelope.time < from) return { found, next: undefined };
      const shown = view(event);
      if (!lets(envelope) || !holdsWords(shown, words)) continue;
      found.push(shown);
      if (found.length > wanted) return { found, next: found[wanted - 1]?.sequence };
    }
    if (next === undefined) return { found, next };
    before = next;
  }
  return { found, next: before };
}

function filterOf(
  { severity, actor, outcome, from, to }: ActivityQuery,
  types: readonly string[] | undefined,
): (event: Envelope) => boolean {
  const since = from === undefined ? "" : timestamp(Date.parse(from));
  const until = to === undefined ? undefined : timestamp(Date.parse(to));
  return (event) =>
    isAmong(types, event.type) &&
    isAmong(severity, event.severitytext) &&
    isAmong(actor, event.authid) &&
    isAmong(outcome, event.outcome) &&
    event.time >= since &&
    (until === undefined || event.time < until);
}

function isAmong(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted?.includes(value) ?? true;
}
