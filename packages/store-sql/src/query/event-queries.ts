import { COUNT_LIMIT } from "@reeve/core/store";
import { join, type Part, part, type Query, tableIn, type Values } from "../schema/dialect.js";
import { FETCH, type Queries, SIZE } from "./queries.js";

const EVENT = ["seq", "id", "attributes", "data", "prev_hash", "event_hash"].map((column) => `e.${column}`);

/** The slots of as many streams. */
const slotsOf = (streams: number) => Array.from({ length: streams }, (_, at) => `stream${at}`);

/** Binds the streams of a query. */
export function streamValues(streams: readonly string[] = []): Values {
  return Object.fromEntries(slotsOf(streams.length).map((slot, at) => [slot, streams[at]]));
}

/** What is asked of a list of events: 0 streams for all of the tenant's. */
interface PageShape {
  readonly streams: number;
  readonly before: boolean;
  readonly offset: boolean;
}

/** A page of events plus one, newest first. Slots: those of `streamValues`, `before`, `fetch`, `offset`, `reach`. */
export function eventPageQuery(queries: Queries, shape: PageShape): Query {
  return queries.shape(`events/${JSON.stringify(shape)}`, () => {
    const page = join(shape.streams > 0 ? eventsOfStreams(queries, shape) : eventsOfTenant(queries, shape), FETCH);
    return queries.dialect.tenantRead(shape.offset ? join(page, { sql: " offset ?", slots: ["offset"] }) : page);
  });
}

function eventsOfTenant({ dialect }: Queries, { before }: PageShape): Part {
  const rows = dialect.knex
    .select(EVENT)
    .from(tableIn(dialect, "events", "e"))
    .where("e.tenant_id", dialect.tenant);
  if (before) rows.where("e.seq", "<", "before");
  return part(rows.orderBy("e.seq", "desc"));
}

/** Each stream is read by its key as far as the page reaches, so that a long one costs no more than a short one. */
function eventsOfStreams({ dialect }: Queries, { streams, before }: PageShape): Part {
  const { knex, tenant } = dialect;
  if (streams === 1) {
    const rows = knex
      .select(EVENT)
      .from(tableIn(dialect, "event_streams", "es"))
      .where("es.tenant_id", tenant);
    rows.where("es.stream", "stream0").join(tableIn(dialect, "events", "e"), (on) => {
      on.on("e.tenant_id", "es.tenant_id").andOn("e.seq", "es.seq");
    });
    if (before) rows.where("es.seq", "<", "before");
    return part(rows.orderBy("es.seq", "desc"));
  }
  const each = slotsOf(streams).map((slot) => {
    const places = knex(tableIn(dialect, "event_streams")).select("seq").where("tenant_id", tenant);
    places.where("stream", slot);
    if (before) places.where("seq", "<", "before");
    return join(part(places.orderBy("seq", "desc")), { sql: " limit ?", slots: ["reach"] });
  });
  const rows = knex
    .select(EVENT)
    .from(tableIn(dialect, "events", "e"))
    .where("e.tenant_id", tenant);
  return join(part(rows), " and ", dialect.among("e.seq", union(each)), " order by e.seq desc");
}

/** The rows of all parts, each once. */
function union(parts: readonly Part[]): Part {
  const whole = parts.map((one) => join("select p.* from (", one, ") as p"));
  return join(...whole.flatMap((one, at) => (at === 0 ? [one] : [" union ", one])));
}

/**
 * The number of a tenant's events, from the head of its chain and what was pruned. For streams, the count up to the
 * bound plus one.
 */
export function eventTotalQuery(queries: Queries, streams: number): Query {
  return queries.shape(`events/total/${streams}`, () => queries.dialect.tenantRead(totalPart(queries, streams)));
}

function totalPart({ dialect }: Queries, streams: number): Part {
  const { knex, tenant } = dialect;
  if (streams === 0)
    return part(knex(tableIn(dialect, "chain_heads")).select(knex.raw("seq - pruned as n")).where("tenant_id", tenant));
  const each = slotsOf(streams).map((slot) => {
    const places = knex(tableIn(dialect, "event_streams")).select("seq").where("tenant_id", tenant);
    return join(part(places.where("stream", slot)), ` limit ${COUNT_LIMIT + 1}`);
  });
  return join("select count(*) as n from (", union(each), ") c");
}

/** One event by id, within any of some streams if asked. Slots: `id`, those of `streamValues`. */
export function eventQuery(queries: Queries, streams: number): Query {
  return queries.shape(`event/${streams}`, () => {
    const { knex, tenant } = queries.dialect;
    const rows = knex(tableIn(queries.dialect, "events", "e"))
      .select(EVENT)
      .where("e.tenant_id", tenant)
      .where("e.id", "id");
    if (streams > 0) {
      const inside = knex(tableIn(queries.dialect, "event_streams", "es"))
        .select(knex.raw("1"))
        .whereRaw("es.tenant_id = e.tenant_id and es.seq = e.seq");
      rows.whereExists(inside.whereIn("es.stream", slotsOf(streams)));
    }
    return queries.dialect.tenantRead(part(rows));
  });
}

/** Events by id. Slot: `ids`. */
export function eventsByIdQuery(queries: Queries): Query {
  return queries.shape("events/many", () => {
    const { knex, tenant } = queries.dialect;
    const rows = part(
      knex(tableIn(queries.dialect, "events", "e"))
        .select(EVENT)
        .where("e.tenant_id", tenant),
    );
    return queries.dialect.tenantRead(join(rows, " and ", queries.dialect.oneOf("id", "ids")));
  });
}

/** Events in ascending sequence. Slots: `after`, `size`. */
export function eventScanQuery(queries: Queries): Query {
  return queries.shape("events/scan", () => {
    const { knex, tenant } = queries.dialect;
    const rows = knex(tableIn(queries.dialect, "events", "e"))
      .select(EVENT)
      .where("e.tenant_id", tenant)
      .where("e.seq", ">", "after");
    return queries.dialect.tenantRead(join(part(rows.orderBy("e.seq")), SIZE));
  });
}
