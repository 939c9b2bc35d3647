import { COUNT_LIMIT } from "@reeve/core/store";
import { join, type Part, part, type Query, tableIn } from "./dialect.js";
import { FETCH, type Queries, SIZE } from "./queries.js";

const EVENT = ["seq", "id", "attributes", "data", "prev_hash", "event_hash"].map((column) => `e.${column}`);

/** A page of events plus one, newest first. Slots: `stream`, `before`, `fetch`, `offset`. */
export function eventPageQuery(
  queries: Queries,
  shape: { readonly stream: boolean; readonly before: boolean; readonly offset: boolean },
): Query {
  return queries.shape(`events/${JSON.stringify(shape)}`, () => {
    const { knex, tenant } = queries.dialect;
    const rows = knex.select(EVENT).where(shape.stream ? "es.tenant_id" : "e.tenant_id", tenant);
    const seq = shape.stream ? "es.seq" : "e.seq";
    if (shape.stream) {
      rows.from(tableIn(queries.dialect, "event_streams", "es")).where("es.stream", "stream");
      rows.join(tableIn(queries.dialect, "events", "e"), (on) =>
        on.on("e.tenant_id", "es.tenant_id").andOn("e.seq", "es.seq"),
      );
    } else {
      rows.from(tableIn(queries.dialect, "events", "e"));
    }
    if (shape.before) rows.where(seq, "<", "before");
    const page = join(part(rows.orderBy(seq, "desc")), FETCH);
    return queries.dialect.tenantRead(shape.offset ? join(page, { sql: " offset ?", slots: ["offset"] }) : page);
  });
}

/**
 * The number of a tenant's events, from the head of its chain and what was pruned. For a stream, the count up to the
 * bound plus one.
 */
export function eventTotalQuery(queries: Queries, stream: boolean): Query {
  return queries.shape(`events/total/${stream}`, () => queries.dialect.tenantRead(totalPart(queries, stream)));
}

function totalPart(queries: Queries, stream: boolean): Part {
  const { knex, tenant } = queries.dialect;
  if (!stream)
    return part(
      knex(tableIn(queries.dialect, "chain_heads")).select(knex.raw("seq - pruned as n")).where("tenant_id", tenant),
    );
  const rows = knex(tableIn(queries.dialect, "event_streams"))
    .select(knex.raw("1 as one"))
    .where("tenant_id", tenant)
    .where("stream", "stream");
  return join("select count(*) as n from (", part(rows), ` limit ${COUNT_LIMIT + 1}) c`);
}

/** One event by id, within a stream if asked. Slots: `id`, `stream`. */
export function eventQuery(queries: Queries, stream: boolean): Query {
  return queries.shape(`event/${stream}`, () => {
    const { knex, tenant } = queries.dialect;
    const rows = knex(tableIn(queries.dialect, "events", "e"))
      .select(EVENT)
      .where("e.tenant_id", tenant)
      .where("e.id", "id");
    if (stream) {
      const inside = knex(tableIn(queries.dialect, "event_streams", "es"))
        .select(knex.raw("1"))
        .whereRaw("es.tenant_id = e.tenant_id and es.seq = e.seq");
      rows.whereExists(inside.where("es.stream", "stream"));
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
