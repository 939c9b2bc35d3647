import { type EventDraft, GENESIS_HASH } from "@reeve/core/store";
import { streamsText } from "@reeve/store-sql";
import type { Statement } from "./statement.js";

/** The parameter of each statement that names its tenant. */
export const TENANT = "$1::text";

const EVENT = "tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash, streams";

/** Takes the tenant's lock without changing its chain head. */
export const LOCK_HEAD = `insert into "reeve".chain_heads as h (tenant_id, seq, hash, prev_hash)
  values (${TENANT}, 0, '${GENESIS_HASH}', '${GENESIS_HASH}')
  on conflict (tenant_id) do update set seq = h.seq returning tenant_id`;

/** Appends events: numbers and links them in order, and advances the chain head. */
export function addEvents(statement: Statement, events: readonly EventDraft[]): void {
  const [first] = events;
  if (first && events.length === 1) addOne(statement, first);
  else addMany(statement, events);
  const places = events.flatMap((event, at) => [...new Set(event.streams)].map((stream) => [stream, at + 1]));
  if (places.length === 0) return;
  const count = statement.value(events.length, "bigint");
  const rows = statement.rows(places, () => ["text", "bigint"]);
  statement.with(
    "es",
    () => `es as (insert into "reeve".event_streams (tenant_id, stream, seq)
  select ${TENANT}, u.stream, head.seq - ${count} + u.place from head, ${rows.from()} as u(stream, place) returning 1)`,
  );
}

/** A single event, the usual case, needs no list of links: the new head has its hash. */
function addOne(statement: Statement, event: EventDraft): void {
  const hash = statement.value(event.recordHash, "text");
  const link = (previous: string, seq: string) => `"reeve".link(${previous}, ${seq}, ${hash})`;
  statement.with(
    "one",
    () => `head as (insert into "reeve".chain_heads as h (tenant_id, seq, hash, prev_hash)
  values (${TENANT}, 1, ${link(`'${GENESIS_HASH}'`, "1")}, '${GENESIS_HASH}')
  on conflict (tenant_id) do update set seq = h.seq + 1, hash = ${link("h.hash", "h.seq + 1")}, prev_hash = h.hash
  returning seq, hash, prev_hash)`,
  );
  const row = [event.id, event.time, event.attributes, event.data];
  const values = row.map((value) => statement.value(value, "text")).join(", ");
  const streams = statement.value(streamsText(event), "text");
  statement.with(
    "ev",
    () => `ev as (insert into "reeve".events (${EVENT})
  select ${TENANT}, seq, ${values}, prev_hash, hash, ${hash}, ${streams} from head returning 1)`,
  );
}

function addMany(statement: Statement, events: readonly EventDraft[]): void {
  const list = (name: "id" | "time" | "attributes" | "data" | "recordHash") =>
    statement.value(
      events.map((event) => event[name]),
      "text[]",
    );
  const hashes = list("recordHash");
  const streams = statement.value(events.map(streamsText), "text[]");
  const count = `cardinality(${hashes})`;
  const last = (previous: string, seq: string) => `"reeve".last_link(${previous}, ${seq}, ${hashes})`;
  statement.with(
    "many",
    () => `head as (insert into "reeve".chain_heads as h (tenant_id, seq, hash, prev_hash)
  values (${TENANT}, ${count}, ${last(`'${GENESIS_HASH}'`, "0")}, '${GENESIS_HASH}')
  on conflict (tenant_id) do update set seq = h.seq + ${count}, hash = ${last("h.hash", "h.seq")}, prev_hash = h.hash
  returning seq, prev_hash)`,
  );
  const lists = [list("id"), list("time"), list("attributes"), list("data"), hashes, streams].join(", ");
  statement.with(
    "evs",
    () => `ev as (insert into "reeve".events (${EVENT})
  select ${TENANT}, head.seq - ${count} + u.place, u.id, u.time, u.attributes, u.data,
    lag(u.event_hash, 1, head.prev_hash) over (order by u.place), u.event_hash, u.record_hash, u.streams
  from head, unnest(${lists}, "reeve".links(head.prev_hash, head.seq - ${count}, ${hashes})) with ordinality
    as u(id, time, attributes, data, record_hash, streams, event_hash, place) returning 1)`,
  );
}
