import {
  type ColumnValues,
  columnValues,
  type EventDraft,
  GENESIS_HASH,
  linkHash,
  type StoredRecord,
} from "@reeve/core/store";
import {
  counterDeltas,
  DUE_COLUMNS,
  duplicateError,
  LOWER,
  type Part,
  part,
  type RecordWrite,
  rowValues,
  settled,
  staleError,
  streamsText,
  type Table,
  type Write,
} from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import { isTaken } from "./errors.js";
import { databaseName } from "./names.js";
import type { Statements } from "./statements.js";

const HEAD = "select seq, hash from reeve_chain_heads where tenant_id = ?";
const SET_HEAD =
  "insert into reeve_chain_heads (tenant_id, seq, hash) values (?, ?, ?) on conflict (tenant_id) do update set seq = excluded.seq, hash = excluded.hash";
const EVENT =
  "insert into reeve_events (tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash, streams) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const STREAM = "insert into reeve_event_streams (tenant_id, stream, seq) values (?, ?, ?)";
const ERASE =
  "update reeve_events set data = null where tenant_id = ? and data is not null and seq in (select value from json_each(?))";
const RAISE_PRUNED = "update reeve_chain_heads set pruned = max(pruned, min(?, seq - 1)) where tenant_id = ?";
const PRUNED = "tenant_id = ? and seq <= (select pruned from reeve_chain_heads where tenant_id = ?)";
const PRUNE_STREAMS = `delete from reeve_event_streams where (tenant_id, stream, seq) in (
  select p.tenant_id, s.value, p.seq from (select * from reeve_events where ${PRUNED}) p, json_each(p.streams) s)`;
const PRUNE = `delete from reeve_events where ${PRUNED}`;
const COUNT =
  "insert into reeve_counters (tenant_id, collection, field, value, n) values (?, ?, ?, ?, ?) on conflict (tenant_id, collection, field, value) do update set n = n + excluded.n";
const DUE = `insert into reeve_dues as d ${DUE_COLUMNS} values (?, ?, ?) ${LOWER}`;
const SETTLE = `update reeve_dues set ${settled("n.next")} from (select ? as next) as n where tenant_id = ? and claim = ?`;
const PENDING = "insert or ignore into reeve_search_pending (collection, tenant_id, n) values (?, ?, ?)";

/**
 * Runs writes on the writing connection, in its open transaction, a record or an event at a step. Events that follow each
 * other in a tenant are appended together, even with other writes between them, so that the head of the chain is read and
 * set once for all of them.
 */
export function* applyWrites(statements: Statements, writes: readonly Write[]): Generator<void, void> {
  const events = new Map<string, EventDraft[]>();
  function* appendAll(tenantId: string) {
    yield* append(statements, tenantId, events.get(tenantId) ?? []);
    events.delete(tenantId);
  }
  for (const write of writes) {
    if (write.kind === "append") {
      const waiting = events.get(write.tenantId);
      if (waiting) waiting.push(...write.events);
      else events.set(write.tenantId, [...write.events]);
    } else if (write.kind === "erase" || write.kind === "prune") {
      yield* appendAll(write.tenantId);
      if (write.kind === "erase") erase(statements, write.tenantId, write.sequences);
      else prune(statements, write.tenantId, write.upTo);
    } else if (write.kind === "due") statements.of(DUE).run(write.tenantId, write.at, write.at);
    else if (write.kind === "settle") statements.of(SETTLE).run(write.next, write.tenantId, write.claim);
    else if (write.kind === "insert") yield* insert(statements, write);
    else if (write.kind === "replace") replace(statements, write);
    else remove(statements, write.tenantId, write.table, write.previous, write.at);
    yield;
  }
  for (const tenantId of events.keys()) yield* appendAll(tenantId);
  for (const { tenantId, collection, field, value, by } of counterDeltas(writes)) {
    statements.of(COUNT).run(tenantId, collection, field, value, by);
    yield;
  }
}

function* insert(
  statements: Statements,
  { tenantId, table, records, values: columns }: Extract<RecordWrite, { readonly kind: "insert" }>,
): Generator<void, void> {
  const { insert: text } = texts(table);
  const [one, pending] = [statements.of(text.sql), statements.of(PENDING)];
  for (const [at, record] of records.entries()) {
    const values = bound(text, rowValues(table, tenantId, record, columns[at] as ColumnValues, dialect.encode));
    const { lastInsertRowid } = keyed(table, () => one.run(values));
    if (table.spec.searchable) pending.run(table.name, tenantId, lastInsertRowid);
    yield;
  }
}

function replace(
  statements: Statements,
  { tenantId, table, next, values, previous }: Extract<RecordWrite, { readonly kind: "replace" }>,
): void {
  const row = rowValues(table, tenantId, next, values, dialect.encode);
  const columns = columnValues(table.collection, previous);
  const before = rowValues(table, tenantId, previous, columns, dialect.encode);
  // Updates only changed columns, because naming a column rewrites every index of it. What is stored of another shape is
  // not known, so its columns are all written.
  const all = table.spec.shape !== undefined;
  const changed = table.columns.filter((column, at) => row[at] !== before[at] || (all && column !== "created_at"));
  const update = replacing(table, changed);
  const { changes } = keyed(table, () => statements.of(update.sql).run(bound(update, [...row, previous.version])));
  if (changes !== 1) throw staleError(table.name);
  if (changed.includes("search_text")) statements.of(texts(table).pending).run(table.name, tenantId, tenantId, next.id);
}

function remove(statements: Statements, tenantId: string, table: Table, previous: StoredRecord, at: string): void {
  const row = [tenantId, previous.id, previous.version];
  const { changes } = statements.of(texts(table).remove).run(table.collection.retain ? [at, ...row] : row);
  if (changes !== 1) throw staleError(table.name);
  if (table.spec.searchable) statements.of(texts(table).pending).run(table.name, tenantId, tenantId, previous.id);
}

function* append(statements: Statements, tenantId: string, events: readonly EventDraft[]): Generator<void, void> {
  if (events.length === 0) return;
  const [insert, insertStream] = [statements.of(EVENT), statements.of(STREAM)];
  const [head] = statements.read(HEAD, tenantId);
  let [seq, hash] = (head ?? [0, GENESIS_HASH]) as [number, string];
  for (const event of events) {
    const { id, time, attributes, data, recordHash } = event;
    const prevHash = hash;
    seq += 1;
    hash = linkHash(prevHash, seq, recordHash);
    const values = [tenantId, seq, id, time, attributes, data, prevHash, hash, recordHash, streamsText(event)];
    try {
      insert.run(values);
    } catch (error) {
      throw isTaken(error) ? duplicateError("events", "id", error) : error;
    }
    for (const stream of new Set(event.streams)) insertStream.run(tenantId, stream, seq);
    yield;
  }
  statements.of(SET_HEAD).run(tenantId, seq, hash);
}

function erase(statements: Statements, tenantId: string, sequences: readonly number[]): void {
  statements.of(ERASE).run(tenantId, JSON.stringify(sequences));
}

/** The head must be raised first, because the table refuses to delete events after it. */
function prune(statements: Statements, tenantId: string, upTo: number): void {
  statements.of(RAISE_PRUNED).run(upTo, tenantId);
  for (const sql of [PRUNE_STREAMS, PRUNE]) statements.of(sql).run(tenantId, tenantId);
}

/** A writing statement, with the position of each parameter in the row of `rowValues`. */
interface RowWrite {
  readonly sql: string;
  readonly places: readonly number[];
}

interface Texts {
  readonly insert: RowWrite;
  /** By the set of changed columns. */
  readonly replaces: Map<string, RowWrite>;
  readonly remove: string;
  readonly pending: string;
}

const compiled = new WeakMap<Table, Texts>();

/** The writes of a table, compiled once. */
function texts(table: Table): Texts {
  let made = compiled.get(table);
  if (!made) {
    const { knex } = dialect;
    const stored = () => knex(databaseName(table.name)).where(KEY);
    made = {
      insert: rowWrite(table, part(knex(databaseName(table.name)).insert(slots(table.columns)))),
      replaces: new Map(),
      remove: part(
        table.collection.retain ? currentRow(table).update({ removed_at: "at" }) : currentRow(table).delete(),
      ).sql,
      pending: `insert or ignore into reeve_search_pending (collection, tenant_id, n) ${part(stored().select(knex.raw("?, ?, n", ["collection", "tenant"]))).sql}`,
    };
    compiled.set(table, made);
  }
  return made;
}

/** The update of these columns, compiled once. */
function replacing(table: Table, changed: readonly string[]): RowWrite {
  const { replaces } = texts(table);
  const key = changed.join();
  let made = replaces.get(key);
  if (!made) {
    made = rowWrite(table, part(currentRow(table).update(slots(changed))));
    replaces.set(key, made);
  }
  return made;
}

const KEY = { tenant_id: "tenant_id", id: "id" };

/** The row in its previous version, unless removed. */
function currentRow({ name }: Table) {
  return dialect.knex(databaseName(name)).where(KEY).where("version", "previous").whereNull("removed_at");
}

/** The previous version follows the columns. */
function rowWrite(table: Table, { sql, slots: named }: Part): RowWrite {
  const row = [...table.columns, "previous"];
  return { sql, places: named.map((slot) => row.indexOf(slot)) };
}

function bound({ places }: RowWrite, row: readonly unknown[]): unknown[] {
  return places.map((place) => row[place]);
}

function slots(columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, column]));
}

/** Runs a write. A taken key is reported by its name in the collection. */
function keyed<T>(table: Table, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw isTaken(error) ? duplicateError(table.name, takenKey(table, error.message), error) : error;
  }
}

/** SQLite reports the columns of the key: `UNIQUE constraint failed: reeve_users.tenant_id, reeve_users.email`. */
function takenKey(table: Table, message: string): string {
  const prefix = `${databaseName(table.name)}.`;
  const columns = message
    .slice(message.indexOf(":") + 1)
    .split(",")
    .map((column) => column.trim().slice(prefix.length))
    .filter((column) => column !== "tenant_id")
    .join();
  const named = Object.entries(table.spec.unique).find(
    ([, key]) => key.filter((each) => each !== "tenant_id").join() === columns,
  );
  return named?.[0] ?? "id";
}
