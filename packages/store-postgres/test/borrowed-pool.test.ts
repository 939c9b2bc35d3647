import { event, thing, things } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { connect, emptyDatabase, migrations } from "./support.js";

const SEEN = `select current_user as role, current_setting('statement_timeout') as timeout, current_setting('enable_sort') as sort,
  current_setting('search_path') as path`;

/** A pool like a host's, with a setting of its own on every connection. */
async function borrowed(options: pg.PoolConfig = {}) {
  const url = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.query("set statement_timeout = '7s'"));
  onTestFinished(async () => {
    if (!pool.ended) await pool.end();
  });
  const store = createPostgresStore({ pool, migrations, connectionTimeoutMs: 2_000 });
  onTestFinished(() => store.close());
  await store.migrate();
  return { store, pool, url };
}

describe("a pool of the host's", () => {
  it("gets its connections back as they were, and the store acts as the runtime role on them", async () => {
    const { store, pool } = await borrowed();
    const before = (await pool.query(SEEN)).rows[0];
    expect(before.timeout).toBe("7s");
    await store.transaction("t", async (tx) => {
      await tx.insert(things, thing(1));
      expect((await tx.count(things)).count).toBe(1);
      await tx.append(event(1));
    });
    await store.forTenant("t").get(things, thing(1).id);
    await expect(store.transaction("t", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect((await pool.query(SEEN)).rows[0]).toEqual(before);
    expect(pool.totalCount).toBe(1);
  });

  it("runs nothing of the store's as the host's user, whichever connection it lends", async () => {
    const { store, pool } = await borrowed({ max: 4 });
    await pool.query("alter table reeve.contract_things add column writer name default current_user");
    const tenant = store.forTenant("t");
    await Promise.all(
      Array.from({ length: 12 }, async (_none, n) => {
        await tenant.insert(things, thing(n));
        await store.transaction("t", async (tx) => {
          await tx.count(things);
          await tx.insert(things, thing(100 + n));
        });
      }),
    );
    const writers = await pool.query("select writer, count(*)::int as n from reeve.contract_things group by 1");
    expect(writers.rows).toEqual([{ writer: "reeve_app", n: 24 }]);
  });

  it("waits for locks as long behind the lock of a second tenant as before it", async () => {
    const { store, url } = await borrowed();
    const admin = await connect(url);
    await store.forTenant("u").insert(things, thing(9));
    await admin.query("begin");
    await admin.query(`select from reeve.contract_things where id = '${thing(9).id}' for update`);
    const { id } = thing(9);
    const outcome = store.transaction("t", async (tx) => {
      await tx.count(things);
      const row = await tx.as("u").get(things, id);
      if (row) await tx.as("u").remove(things, row.value, row.value.createdAt);
    });
    // What ends the wait is the time for locks, and not that for statements.
    await expect(outcome).rejects.toMatchObject({ code: "busy", cause: { code: "55P03" } });
    await admin.query("rollback");
  });

  it("that lends no connection in time is busy, and leaks none that it lends later", async () => {
    const { store, pool } = await borrowed({ max: 2 });
    await store.forTenant("t").insert(things, thing(1));
    const held = [await pool.connect(), await pool.connect()];
    const tenant = store.forTenant("t");
    const asked = [
      tenant.get(things, thing(1).id),
      tenant.insert(things, thing(2)),
      store.transaction("t", async (tx) => {
        await tx.count(things);
        await tx.insert(things, thing(3));
      }),
    ];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: "rejected", reason: expect.objectContaining({ code: "busy" }) })),
    );
    for (const client of held) client.release();
    expect((await tenant.find(things, { size: 9 })).rows.map(({ id }) => id)).toEqual([thing(1).id]);
    const again = [await pool.connect(), await pool.connect()];
    for (const client of again) client.release();
    expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([2, 2, 0]);
  });

  it("gives way to hosts that hold a connection while they wait for the store", async () => {
    const { store, pool } = await borrowed({ max: 3 });
    const handlers = Array.from({ length: 6 }, async (_none, n) => {
      const client = await pool.connect();
      try {
        await store.forTenant("t").insert(things, thing(n));
      } finally {
        client.release();
      }
    });
    const outcomes = await Promise.allSettled(handlers);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "busy" });
    await store.forTenant("t").insert(things, thing(9));
    expect(pool.waitingCount).toBe(0);
  });

  it("is never closed by the store", async () => {
    const { store, pool } = await borrowed();
    await store.forTenant("t").insert(things, thing(1));
    await store.close();
    expect(pool.ended).toBe(false);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("that is closed is told of in one line", async () => {
    const { store, pool, url } = await borrowed();
    await pool.end();
    const line = { code: "unavailable", message: "the pool that the store was given is closed" };
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject(line);
    const other = createPostgresStore({ pool, migrations });
    onTestFinished(() => other.close());
    await expect(other.forTenant("t").count(things)).rejects.toMatchObject(line);
    await expect(other.migrate()).rejects.toMatchObject(line);
    expect((await (await connect(url)).query("select count(*)::int as n from contract_things")).rows).toEqual([
      { n: 0 },
    ]);
  });

  it("loses a connection that was lent with a transaction open", async () => {
    const { store, pool } = await borrowed();
    const client = await pool.connect();
    await client.query("begin; create table reeve.mine (id int)");
    client.release();
    await store.forTenant("t").insert(things, thing(1));
    expect((await pool.query("select to_regclass('reeve.mine') as mine")).rows).toEqual([{ mine: null }]);
    expect((await store.forTenant("t").count(things)).count).toBe(1);
  });

  it("keeps a connection whose transaction the store has ended", async () => {
    const { store, pool } = await borrowed();
    const backend = async () => (await pool.query("select pg_backend_pid() as pid")).rows;
    const before = await backend();
    await store.transaction("t", async (tx) => {
      await tx.count(things);
      await tx.append(event(1));
    });
    expect(await backend()).toEqual(before);
  });

  it("hears notices on a connection of its own, made as the pool makes its", async () => {
    const { store } = await borrowed({ password: "asked for by the pool" });
    const reported: unknown[] = [];
    await store.watch?.((change) => void reported.push(change));
    await vi.waitFor(() => expect(reported).toEqual([undefined]), 10_000);
  });

  it("serves a program that reads a host's rows in between", async () => {
    const { store, pool } = await borrowed({ max: 3 });
    await pool.query("create table public.orders (id int); insert into public.orders values (1)");
    const tenant = store.forTenant("t");
    await Promise.all(
      Array.from({ length: 30 }, async (_none, n) => {
        await tenant.insert(things, thing(n));
        expect((await pool.query("select id, current_user <> 'reeve_app' as own from public.orders")).rows).toEqual([
          { id: 1, own: true },
        ]);
      }),
    );
    expect((await tenant.count(things)).count).toBe(30);
  });
});
