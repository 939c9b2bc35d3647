import { GENESIS_HASH, linkHash } from "../chain.js";
import type { EventDraft, EventPage, EventQuery, EventStreams, StoredEvent } from "../event-log.js";
import { COUNT_LIMIT } from "../find-plan.js";
import { streamsOf } from "../query.js";
import { StoreError } from "../store-error.js";
import type { Layer, LoggedEvent } from "./layer.js";

/** Numbers an event and links it to the end of the tenant's chain. */
export function appendEvent(layer: Layer, tenantId: string, draft: EventDraft): void {
  const key = eventKey(tenantId, draft.id);
  if (layer.holder(key)) throw new StoreError("duplicate", "an event with this id exists", { key: "id" });
  const last = layer.lastEvent(tenantId);
  const sequence = (last?.sequence ?? 0) + 1;
  const prevHash = last?.eventHash ?? GENESIS_HASH;
  const event: StoredEvent = Object.freeze({
    sequence,
    id: draft.id,
    attributes: draft.attributes,
    data: draft.data,
    prevHash,
    eventHash: linkHash(prevHash, sequence, draft.recordHash),
  });
  layer.append(tenantId, { event, streams: new Set(draft.streams) });
  layer.hold(key, { tenantId, id: String(sequence) });
}

/** A page of events, newest first. */
export function eventPage(layer: Layer, tenantId: string, query: EventQuery): EventPage {
  const streams = streamsOf(query.stream);
  const all = layer.events(tenantId).filter((each) => inOneOf(each, streams));
  const upTo = query.before ?? Number.POSITIVE_INFINITY;
  const newestFirst = all.filter((each) => each.event.sequence < upTo).reverse();
  const start = (query.page ?? 0) * query.size;
  const events = newestFirst.slice(start, start + query.size).map((each) => each.event);
  const exact = query.stream === undefined || all.length <= COUNT_LIMIT;
  const total = { count: exact ? all.length : COUNT_LIMIT, exact };
  const last = events.at(-1);
  return last && newestFirst.length > start + query.size ? { events, total, next: last.sequence } : { events, total };
}

/** One event by id; within any of `stream` if given. */
export function eventById(layer: Layer, tenantId: string, id: string, stream?: EventStreams): StoredEvent | undefined {
  const streams = streamsOf(stream);
  const holder = layer.holder(eventKey(tenantId, id));
  const events = layer.events(tenantId);
  const logged = holder && events[Number(holder.id) - firstOf(events)];
  return logged && inOneOf(logged, streams) ? logged.event : undefined;
}

/** Events after the sequence `after`, ascending. */
export function eventsAfter(layer: Layer, tenantId: string, after: number, size: number): StoredEvent[] {
  const events = layer.events(tenantId);
  const from = Math.max(0, after + 1 - firstOf(events));
  return events.slice(from, from + size).map((logged) => logged.event);
}

/** Drops the events up to `upTo`, but never the newest, and frees their ids. */
export function pruneEvents(layer: Layer, tenantId: string, upTo: number): void {
  const events = layer.events(tenantId);
  const last = Math.min(upTo, (layer.lastEvent(tenantId)?.sequence ?? 0) - 1);
  for (const { event } of events) {
    if (event.sequence > last) break;
    layer.hold(eventKey(tenantId, event.id), null);
  }
  layer.pruneEvents(tenantId, last);
}

/** Drops at most `size` of the oldest events, even the newest one. Returns how many. */
export function dropEvents(layer: Layer, tenantId: string, size: number): number {
  const dropped = layer.events(tenantId).slice(0, size);
  for (const { event } of dropped) layer.hold(eventKey(tenantId, event.id), null);
  const last = dropped.at(-1);
  if (last) layer.pruneEvents(tenantId, last.event.sequence);
  return dropped.length;
}

function firstOf(events: readonly LoggedEvent[]): number {
  return events[0]?.event.sequence ?? 1;
}

function inOneOf(logged: LoggedEvent, streams: readonly string[] | undefined): boolean {
  return streams?.some((stream) => logged.streams.has(stream)) ?? true;
}

function eventKey(tenantId: string, id: string): string {
  return JSON.stringify(["event", tenantId, id]);
}
