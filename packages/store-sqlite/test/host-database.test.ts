import type { Store } from "@reeve/core/store";
import { createWorld } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteStore, type SqlStore } from "../src/index.js";
import { temporaryFile } from "./support.js";

/** A host's own tables, with the names of Reeve's collections. */
const NAMES = ["users", "events", "tenants", "counters", "outbox", "credentials", "migrations", "search_pending"];
const HOST = NAMES.map(
  (name) => `create table ${name} (id integer primary key, name text unique, seen int);
  create index ix_${name} on ${name} (seen);
  create trigger ${name}_keep after insert on ${name} begin update ${name} set seen = 1 where id = new.id; end;
  insert into ${name} (name) values ('first'), ('second');`,
).join("\n");

function hostOf(file: string): Database.Database {
  const host = new Database(file);
  onTestFinished(() => void host.close());
  return host;
}

function rowsOf(host: Database.Database): unknown {
  const schema = host.prepare(
    "select type, name, sql from sqlite_master where name not like 'reeve\\_%' escape '\\' and tbl_name not like 'reeve\\_%' escape '\\' order by name",
  );
  return [schema.all(), NAMES.map((name) => host.prepare(`select * from ${name} order by id`).all())];
}

/** Sign-ups and an asset with its events, which touch most tables. */
async function work(store: Store): Promise<number> {
  const world = await createWorld({ store });
  const { owner } = world.a;
  const body = { name: "an agent among tables of others" };
  const made = await world.send("POST", "/api/v1/ai-assets", { token: owner.token, body });
  expect(made.status, made.text).toBe(201);
  const listed = await world.send("GET", "/api/v1/ai-assets?search=among", { token: owner.token });
  return listed.json.items.length;
}

const ways: readonly (readonly [string, (file: string, host: Database.Database) => SqlStore])[] = [
  ["by its file", (file) => createSqliteStore({ file })],
  ["by the host's handle", (_, database) => createSqliteStore({ database })],
];

describe("a database that holds a host's tables", () => {
  it.each(ways)("is shared %s: the host's rows stay as they are, and go on without Reeve", async (_, open) => {
    const file = temporaryFile();
    const host = hostOf(file);
    host.exec(HOST);
    const before = rowsOf(host);
    const store = open(file, host);
    await store.migrate();
    expect(await work(store)).toBe(1);
    await store.close();
    expect(host.open).toBe(true);
    expect(rowsOf(host)).toEqual(before);
    const virtual =
      "select name from sqlite_master where type = 'table' and name like 'reeve\\_%' escape '\\' order by sql not like 'create virtual%'";
    for (const name of host.prepare(virtual).pluck().all()) host.exec(`drop table if exists "${name}"`);
    expect(host.prepare("select name from sqlite_master where name like '%reeve%'").all()).toEqual([]);
    expect(rowsOf(host)).toEqual(before);
    host.exec("insert into users (name) values ('third')");
    expect(host.prepare("select seen from users where name = 'third'").pluck().get()).toBe(1);
  });
});
