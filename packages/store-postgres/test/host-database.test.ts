import type { Store } from "@reeve/core/store";
import { createWorld } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { emptyDatabase } from "./support.js";

/** A host's own tables, with the names of Reeve's collections. */
const NAMES = ["users", "events", "tenants", "counters", "outbox", "credentials"];
const HOST = `
  create schema app;
  create function app.mark() returns trigger language plpgsql as $fn$
  begin new.seen := coalesce(new.seen, 0) + 1; return new; end $fn$;
  ${NAMES.map((name) => `create table app.${name} (id serial primary key, name text unique, seen int); create trigger mark before insert or update on app.${name} for each row execute function app.mark(); insert into app.${name} (name) values ('first'), ('second');`).join("\n")}
  create table public.users (id int primary key); insert into public.users values (7);`;

async function hostOf(url: string): Promise<pg.Client> {
  const host = new pg.Client({ connectionString: url });
  host.on("error", () => {});
  await host.connect();
  onTestFinished(() => host.end().catch(() => undefined));
  return host;
}

async function rowsOf(host: pg.Client): Promise<unknown> {
  const tables = [...NAMES.map((name) => `app.${name}`), "public.users"];
  const rows: unknown[] = [];
  for (const name of tables) rows.push((await host.query(`select * from ${name} order by id`)).rows);
  const others = await host.query(`select n.nspname as schema, count(*) from pg_class c join pg_namespace n
    on n.oid = c.relnamespace where n.nspname in ('app', 'public') and c.relkind <> 'c' group by 1 order by 1`);
  return [rows, others.rows];
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

const ways: readonly (readonly [string, (url: string) => ReturnType<typeof createPostgresStore>])[] = [
  ["by its URL", (url) => createPostgresStore({ url })],
  ["by a pool of its own", (url) => createPostgresStore({ pool: hostPool(url) })],
];

function hostPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  return pool;
}

describe("a database that holds a host's tables", () => {
  it.each(ways)("is shared %s: the host's rows stay as they are, and go on without Reeve", async (_, open) => {
    const plain = await emptyDatabase();
    const host = await hostOf(plain);
    await host.query(HOST);
    const before = await rowsOf(host);
    const url = new URL(plain);
    url.searchParams.set("options", "-c search_path=app,public");
    const store = open(url.href);
    await store.migrate();
    expect(await work(store)).toBe(1);
    await store.close();
    expect(await rowsOf(host)).toEqual(before);
    await host.query("drop schema reeve cascade");
    expect(await rowsOf(host)).toEqual(before);
    await host.query("insert into app.users (name) values ('third')");
    expect((await host.query("select seen from app.users where name = 'third'")).rows).toEqual([{ seen: 1 }]);
  });
});
