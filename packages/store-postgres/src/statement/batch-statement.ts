import { type ColumnValues, columnValues } from "@reeve/core/store";
import {
  counterDeltas,
  DUE_COLUMNS,
  isOfRecords,
  LOWER,
  rowValues,
  settled,
  type Table,
  type Write,
} from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import { addEvents, LOCK_HEAD, TENANT } from "./event-parts.js";
import { qualified } from "./namespace.js";
import { CHANNEL, changePayload } from "./notice.js";
import { type BatchStatement, type RowSource, Statement } from "./statement.js";

/** Whether a write looks for rows to change. A statement does that before it has the lock, so the lock must be held already. */
export function seeksRows(write: Write): boolean {
  if (isOfRecords(write)) return write.kind === "remove" && !write.table.collection.retain;
  return write.kind !== "append" && write.kind !== "due";
}

/**
 * A whole batch as one statement, in a transaction that has set the tenant. It begins with the tenant's chain head, whose
 * lock makes the tenant's transactions serial, and all other parts read the head and so run after it. `locked`: the
 * transaction already holds that lock. Each part returns something, because a cluster copies rows otherwise, which
 * row-level security forbids.
 */
export function batchStatement(tenantId: string, writes: readonly Write[], locked: boolean): BatchStatement {
  const statement = new Statement();
  const events = writes.flatMap((write) => (write.kind === "append" ? write.events : []));
  statement.value(tenantId, "text");
  const source: Source = locked ? { shape: "held", after: "" } : { shape: "lock", after: "head, " };
  if (events.length > 0) addEvents(statement, events);
  else if (!locked) statement.with("head", () => `head as (${LOCK_HEAD})`);
  statement.with(source.shape);
  for (const [table, group] of byTable(writes)) {
    addInserts(statement, source, tenantId, table, group);
    addReplaces(statement, source, tenantId, table, group);
    if (table.collection.retain) addRemoves(statement, source, tenantId, table, group);
    else addErasures(statement, source, table, group);
  }
  addCounters(statement, source, writes);
  addDues(statement, source, writes);
  // The tenant must be a parameter of each statement, so one without a part reads it.
  if (statement.isEmpty) statement.with("none", () => `none as (select ${TENANT})`);
  const broadcast = [...byTable(writes).keys()].filter((table) => table.collection.broadcast);
  if (broadcast.length > 0) statement.notify(CHANNEL, changePayload(tenantId, broadcast));
  return statement.finish();
}

/** What rows are read with, so that a part runs after the head where that takes the lock. */
interface Source {
  readonly shape: "held" | "lock";
  readonly after: string;
}

/** The rows of an insert. A single one that waits for nothing is of values, which a cluster takes in one step. */
function selected({ after }: Source, rows: RowSource): string {
  if (after === "" && rows.list) return `values (${TENANT}, ${rows.list()})`;
  return `select ${TENANT}, u.* from ${after}${rows.from()} as u`;
}

function addInserts(
  statement: Statement,
  source: Source,
  tenantId: string,
  table: Table,
  group: readonly Write[],
): void {
  const rows = group.flatMap((write) =>
    write.kind !== "insert"
      ? []
      : write.records.map((record, at) =>
          rowValues(table, tenantId, record, write.values[at] as ColumnValues, dialect.encode).slice(1),
        ),
  );
  if (rows.length === 0) return;
  const columns = table.columns.slice(1);
  const written = statement.rows(rows, () => typesOf(table, columns));
  const part = `in_${table.name}`;
  statement.with(
    part,
    () => `${part} as (insert into ${qualified(table.name)} (tenant_id, ${names(columns)})
  ${selected(source, written)} returning 1)`,
  );
}

/**
 * A replace or remove is an insert that conflicts with its row. The insert finds the row as it is once the lock is held; an
 * update might look before that and find nothing. A missing row is an error.
 */
function addReplaces(
  statement: Statement,
  source: Source,
  tenantId: string,
  table: Table,
  group: readonly Write[],
): void {
  const writes = group.flatMap((write) => (write.kind === "replace" ? [write] : []));
  const rows = writes.map((write) => [
    ...rowValues(table, tenantId, write.next, write.values, dialect.encode).slice(1),
    null,
  ]);
  const set = table.columns.filter((column) => !["tenant_id", "id", "created_at"].includes(column));
  addMeeting(statement, source, table, `up_${table.name}`, rows, set, "excluded.version - 1");
}

function addRemoves(
  statement: Statement,
  source: Source,
  tenantId: string,
  table: Table,
  group: readonly Write[],
): void {
  const writes = group.flatMap((write) => (write.kind === "remove" ? [write] : []));
  const rows = writes.map((write) => [
    ...rowValues(table, tenantId, write.previous, columnValues(table.collection, write.previous), dialect.encode).slice(
      1,
    ),
    write.at,
  ]);
  addMeeting(statement, source, table, `rm_${table.name}`, rows, ["removed_at"], "excluded.version");
}

function addMeeting(
  statement: Statement,
  source: Source,
  table: Table,
  part: string,
  rows: readonly (readonly unknown[])[],
  set: readonly string[],
  version: string,
): void {
  if (rows.length === 0) return;
  const columns = [...table.columns.slice(1), "removed_at"];
  const written = statement.rows(rows, () => typesOf(table, columns));
  const changes = () => set.map((column) => `"${column}" = excluded."${column}"`).join(", ");
  statement.with(
    part,
    () => `${part} as (insert into ${qualified(table.name)} as t (tenant_id, ${names(columns)})
  ${selected(source, written)}
  on conflict (tenant_id, id) do update set ${changes()} where t.version = ${version} and t.removed_at is null
  returning t.xmax as met)`,
  );
  statement.expect(table.name, `(select count(*) from ${part} where met <> 0)`, rows.length);
}

function addErasures(statement: Statement, source: Source, table: Table, group: readonly Write[]): void {
  const writes = group.flatMap((write) => (write.kind === "remove" ? [write] : []));
  if (writes.length === 0) return;
  const rows = writes.map(({ previous }) => [previous.id, previous.version]);
  const removed = statement.rows(rows, () => ["text", "integer"]);
  const part = `rm_${table.name}`;
  statement.with(
    part,
    () => `${part} as (delete from ${qualified(table.name)} t
  using ${source.after}${removed.from()} as u(id, version)
  where t.tenant_id = ${TENANT} and t.id = u.id and t.version = u.version returning 1)`,
  );
  statement.expect(table.name, `(select count(*) from ${part})`, writes.length);
}

function addCounters(statement: Statement, source: Source, writes: readonly Write[]): void {
  const deltas = counterDeltas(writes);
  if (deltas.length === 0) return;
  const rows = deltas.map((delta) => [delta.collection, delta.field, delta.value, delta.by]);
  const counted = statement.rows(rows, () => ["text", "text", "text", "bigint"]);
  statement.with(
    "ct",
    () => `ct as (insert into "reeve".counters as c (tenant_id, collection, field, value, n)
  ${selected(source, counted)}
  on conflict (tenant_id, collection, field, value) do update set n = c.n + excluded.n returning 1)`,
  );
}

function addDues(statement: Statement, source: Source, writes: readonly Write[]): void {
  const [earliest] = writes.flatMap((write) => (write.kind === "due" ? [write.at] : [])).sort();
  if (earliest !== undefined) {
    const at = statement.value(earliest, "text");
    statement.with(
      "due",
      () =>
        `du as (insert into "reeve".dues as d ${DUE_COLUMNS} ${source.after ? `select ${TENANT}, ${at}, ${at} from head` : `values (${TENANT}, ${at}, ${at})`} ${LOWER} returning 1)`,
    );
  }
  for (const write of writes) {
    if (write.kind !== "settle") continue;
    const [claim, next] = [statement.value(write.claim, "bigint"), statement.value(write.next, "text")];
    statement.with(
      "settle",
      () => `sd as (update "reeve".dues d set ${settled(next)}${source.after ? " from head" : ""}
  where d.tenant_id = ${TENANT} and d.claim = ${claim} returning 1)`,
    );
  }
}

function byTable(writes: readonly Write[]): Map<Table, Write[]> {
  const groups = new Map<Table, Write[]>();
  for (const write of writes) {
    if (!isOfRecords(write)) continue;
    const group = groups.get(write.table);
    if (group) group.push(write);
    else groups.set(write.table, [write]);
  }
  return groups;
}

function names(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

function typesOf(table: Table, columns: readonly string[]): string[] {
  return columns.map((column) => {
    if (column === "version") return "integer";
    const type = table.spec.columns[column];
    return type === "integer" ? "bigint" : type === "boolean" ? "boolean" : "text";
  });
}
