import { type EventDraft, GENESIS_HASH } from "@reeve/core";
import { counterDeltas, rowValues, type Table, type Write } from "@reeve/store-sql";
import { dialect } from "./dialect.js";

/** One statement with its parameters. */
export interface BatchStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A whole batch as one statement. It begins with the tenant's chain head, whose lock orders the transactions of a tenant;
 * everything else takes the tenant from it and so comes after. `locked` tells that the transaction holds that lock already.
 */
export function batchStatement(tenantId: string, writes: readonly Write[], locked: boolean): BatchStatement {
  const statement = new Statement();
  const events = writes.flatMap((write) => (write.kind === "append" ? write.events : []));
  statement.with(
    `s as materialized (select set_config('reeve.tenant', ${statement.value(tenantId, "text")}, true) as tenant)`,
  );
  if (events.length > 0) addEvents(statement, events);
  else statement.with(`head as (${locked ? "select tenant as tenant_id from s" : LOCK_HEAD})`);
  for (const [table, group] of byTable(writes)) {
    addInserts(statement, tenantId, table, group);
    addReplaces(statement, tenantId, table, group);
    addRemoves(statement, tenantId, table, group);
  }
  addCounters(statement, writes);
  return statement.finish();
}

class Statement {
  readonly #parts: string[] = [];
  readonly #checks: string[] = [];
  readonly #values: unknown[] = [];

  value(value: unknown, type: string): string {
    this.#values.push(value);
    return `$${this.#values.length}::${type}`;
  }

  list(values: readonly unknown[], type: string): string {
    return this.value(values, `${type}[]`);
  }

  with(part: string): void {
    this.#parts.push(part);
  }

  /** Insists on a number of rows. */
  expect(table: string, written: string, rows: number): void {
    this.#checks.push(`reeve_expect('${table}', ${written}, ${this.value(rows, "bigint")})`);
  }

  finish(): BatchStatement {
    return { text: `with ${this.#parts.join(",\n")}\nselect ${this.#checks.join(", ") || "1"}`, values: this.#values };
  }
}

const LOCK_HEAD = `insert into chain_heads as h (tenant_id, seq, hash, prev_hash)
  select tenant, 0, '${GENESIS_HASH}', '${GENESIS_HASH}' from s
  on conflict (tenant_id) do update set seq = h.seq returning tenant_id`;

/** Moves the head on, numbering and linking the events in the order given. */
function addEvents(statement: Statement, events: readonly EventDraft[]): void {
  const hashes = statement.list(
    events.map((event) => event.recordHash),
    "text",
  );
  const link = (previous: string, last: string) =>
    `(reeve_links(${previous}, ${last}, ${hashes}))[cardinality(${hashes})]`;
  statement.with(`head as (insert into chain_heads as h (tenant_id, seq, hash, prev_hash)
  select tenant, cardinality(${hashes}), ${link(`'${GENESIS_HASH}'`, "0")}, '${GENESIS_HASH}' from s
  on conflict (tenant_id) do update set
    seq = h.seq + cardinality(${hashes}), hash = ${link("h.hash", "h.seq")}, prev_hash = h.hash
  returning tenant_id, seq, prev_hash)`);
  const column = (name: "id" | "time" | "attributes" | "data") =>
    statement.list(
      events.map((event) => event[name]),
      "text",
    );
  const start = `head.seq - cardinality(${hashes})`;
  const rows = [column("id"), column("time"), column("attributes"), column("data"), hashes].join(", ");
  statement.with(`ev as (insert into events (tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash)
  select head.tenant_id, ${start} + u.place, u.id, u.time, u.attributes, u.data,
    lag(u.event_hash, 1, head.prev_hash) over (order by u.place), u.event_hash, u.record_hash
  from head, unnest(${rows}, reeve_links(head.prev_hash, ${start}, ${hashes})) with ordinality
    as u(id, time, attributes, data, record_hash, event_hash, place))`);
  const streams = events.flatMap((event, at) => [...new Set(event.streams)].map((stream) => [stream, at + 1] as const));
  const names = statement.list(
    streams.map(([stream]) => stream),
    "text",
  );
  const places = statement.list(
    streams.map(([, place]) => place),
    "bigint",
  );
  statement.with(`es as (insert into event_streams (tenant_id, stream, seq)
  select head.tenant_id, u.stream, ${start} + u.place from head, unnest(${names}, ${places}) as u(stream, place))`);
}

function addInserts(statement: Statement, tenantId: string, table: Table, group: readonly Write[]): void {
  const records = group.flatMap((write) => (write.kind === "insert" ? write.records : []));
  if (records.length === 0) return;
  const rows = records.map((record) => rowValues(table, tenantId, record, dialect.encode));
  const columns = table.columns.slice(1);
  const lists = columns.map((column, at) =>
    statement.list(
      rows.map((row) => row[at + 1]),
      typeOf(table, column),
    ),
  );
  statement.with(`in_${table.name} as (insert into "${table.name}" (tenant_id, ${names(columns)})
  select head.tenant_id, u.* from head, unnest(${lists.join(", ")}) as u)`);
}

/**
 * Replaces and removes are written as inserts that must meet the row they are about: the key of the insert finds the row after
 * the tenant is set, where an update might look for it before and see nothing. A row that was not there is not accepted.
 */
function addReplaces(statement: Statement, tenantId: string, table: Table, group: readonly Write[]): void {
  const writes = group.flatMap((write) => (write.kind === "replace" ? [write] : []));
  const rows = writes.map((write) => [...rowValues(table, tenantId, write.next, dialect.encode), null]);
  const set = table.columns.filter((column) => !["tenant_id", "id", "created_at"].includes(column));
  addMeeting(statement, table, `up_${table.name}`, rows, set, "excluded.version - 1");
}

function addRemoves(statement: Statement, tenantId: string, table: Table, group: readonly Write[]): void {
  const writes = group.flatMap((write) => (write.kind === "remove" ? [write] : []));
  if (!table.collection.retain) {
    addErasures(statement, table, writes);
    return;
  }
  const rows = writes.map((write) => [...rowValues(table, tenantId, write.previous, dialect.encode), write.at]);
  addMeeting(statement, table, `rm_${table.name}`, rows, ["removed_at"], "excluded.version");
}

/** Whether a write deletes rows. The rows are looked for before the statement sets the tenant, so it must be set already. */
export function erases(write: Write): boolean {
  return write.kind === "remove" && !write.table.collection.retain;
}

function addErasures(
  statement: Statement,
  table: Table,
  writes: readonly (Write & { readonly kind: "remove" })[],
): void {
  if (writes.length === 0) return;
  const ids = statement.list(
    writes.map((write) => write.previous.id),
    "text",
  );
  const versions = statement.list(
    writes.map((write) => write.previous.version),
    "integer",
  );
  statement.with(`rm_${table.name} as (delete from "${table.name}" t using head, unnest(${ids}, ${versions}) as u(id, version)
  where t.tenant_id = head.tenant_id and t.id = u.id and t.version = u.version returning 1)`);
  statement.expect(table.name, `(select count(*) from rm_${table.name})`, writes.length);
}

function addMeeting(
  statement: Statement,
  table: Table,
  part: string,
  rows: readonly unknown[][],
  set: readonly string[],
  version: string,
): void {
  if (rows.length === 0) return;
  const columns = [...table.columns.slice(1), "removed_at"];
  const lists = columns.map((column, at) =>
    statement.list(
      rows.map((row) => row[at + 1]),
      typeOf(table, column),
    ),
  );
  const changes = set.map((column) => `"${column}" = excluded."${column}"`).join(", ");
  statement.with(`${part} as (insert into "${table.name}" as t (tenant_id, ${names(columns)})
  select head.tenant_id, u.* from head, unnest(${lists.join(", ")}) as u
  on conflict (tenant_id, id) do update set ${changes} where t.version = ${version} and t.removed_at is null
  returning t.xmax as met)`);
  statement.expect(table.name, `(select count(*) from ${part} where met <> 0)`, rows.length);
}

function addCounters(statement: Statement, writes: readonly Write[]): void {
  const deltas = counterDeltas(writes);
  if (deltas.length === 0) return;
  const lists = [
    statement.list(
      deltas.map((delta) => delta.collection),
      "text",
    ),
    statement.list(
      deltas.map((delta) => delta.field),
      "text",
    ),
    statement.list(
      deltas.map((delta) => delta.value),
      "text",
    ),
    statement.list(
      deltas.map((delta) => delta.by),
      "bigint",
    ),
  ];
  statement.with(`ct as (insert into counters as c (tenant_id, collection, field, value, n)
  select head.tenant_id, u.* from head, unnest(${lists.join(", ")}) as u
  on conflict (tenant_id, collection, field, value) do update set n = c.n + excluded.n)`);
}

function byTable(writes: readonly Write[]): Map<Table, Write[]> {
  const groups = new Map<Table, Write[]>();
  for (const write of writes) {
    if (write.kind === "append") continue;
    const group = groups.get(write.table);
    if (group) group.push(write);
    else groups.set(write.table, [write]);
  }
  return groups;
}

function names(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

function typeOf(table: Table, column: string): string {
  if (column === "version") return "integer";
  const type = table.spec.columns[column];
  return type === "integer" ? "bigint" : type === "boolean" ? "boolean" : "text";
}
