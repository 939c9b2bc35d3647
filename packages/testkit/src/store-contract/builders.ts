import { type EventDraft, type Found, type Row, type StoredRecord, sha256 } from "@reeve/core/store";
import type { Account, Setting, Thing, Ticket } from "./collections.js";

const EPOCH = Date.UTC(2026, 0, 1);

/** The nth time of a test. Times are milliseconds apart, so that text order is the order of `n`. */
export function at(n: number): string {
  return new Date(EPOCH + n).toISOString();
}

/** An id in the form of generated ones, ascending with `n`. */
export function idOf(prefix: string, n: number): string {
  return `${prefix}_01K${String(n).padStart(23, "0")}`;
}

export function thing(n: number, patch: Partial<Thing> = {}): Thing {
  return {
    id: idOf("thg", n),
    version: 1,
    createdAt: at(n),
    name: `thing ${n}`,
    kind: null,
    status: "draft",
    size: null,
    active: null,
    dueAt: null,
    slug: null,
    shelf: null,
    slot: null,
    note: "",
    expiresAt: null,
    ...patch,
  };
}

export function ticket(n: number, patch: Partial<Ticket> = {}): Ticket {
  const empty = { team: null, grade: null, open: null, points: null, title: null, tags: [], text: "" };
  return { id: idOf("tkt", n), version: 1, createdAt: at(n), state: "new", ...empty, ...patch };
}

/** Things 1 to `count`, each with the fields from `patch`. */
export function manyThings(count: number, patch: (n: number) => Partial<Thing> = () => ({})): Thing[] {
  return Array.from({ length: count }, (_, index) => thing(index + 1, patch(index + 1)));
}

export function account(n: number, patch: Partial<Account> = {}): Account {
  const username = `user-${n}`;
  return {
    id: idOf("acc", n),
    version: 1,
    createdAt: at(n),
    username,
    nick: null,
    email: null,
    role: "member",
    ...patch,
  };
}

export function setting(id: string, value: unknown): Setting {
  return { id, version: 1, createdAt: at(0), value };
}

/** The next version of a record. */
export function successor<R extends StoredRecord>(record: R, patch: Partial<R> = {}): R {
  return { ...record, ...patch, version: record.version + 1 };
}

/** The nth event of a test, in `streams`. */
export function event(n: number, streams: readonly string[] = []): EventDraft {
  const id = idOf("evt", n);
  const data = JSON.stringify({ n });
  const attributes = JSON.stringify({ datahash: sha256(data), id, type: "contract.happened.v1" });
  return { id, time: at(n), attributes, data, recordHash: sha256(attributes), streams };
}

/** The ids of rows, in order. */
export function ids<R extends StoredRecord>(rows: readonly Row<R>[] | Found<R>): string[] {
  return ("rows" in rows ? rows.rows : rows).map((row) => row.id);
}

/** The ids of records, in order. */
export function idsOf(records: readonly StoredRecord[]): string[] {
  return records.map((record) => record.id);
}
