import { StoreError, silentLogger } from "@reeve/core/store";
import { SqlTransaction, tableOf } from "@reeve/store-sql";
import { thing, things } from "@reeve/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Pool } from "../src/connect/pool.js";
import type { Session } from "../src/connect/session.js";
import { PostgresAccess } from "../src/query/access.js";
import { Namespace } from "../src/statement/namespace.js";
import type { Group } from "../src/write/group.js";
import { PromptKinds } from "../src/write/prompt-kinds.js";
import { Turns } from "../src/write/turns.js";
import { PostgresUnit } from "../src/write/unit.js";
import { connect, freshStore } from "./support.js";

function poolOn(url: string, poolSize = 1): Pool {
  const pool = new Pool({
    source: url,
    namespace: new Namespace(),
    runtimeRole: "reeve_app",
    poolSize,
    pooler: "none",
    connectionTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
    answerTimeoutMs: 7_000,
    idleTransactionTimeoutMs: 10_000,
    logger: silentLogger,
  });
  onTestFinished(() => pool.end());
  return pool;
}

/** The statements of each round trip on a connection during this work. */
async function batches(pool: Pool, work: (session: Session) => Promise<void>): Promise<string[][]> {
  const session = await pool.acquire();
  const send = vi.spyOn(session, "send");
  const simple = vi.spyOn(session, "simple");
  await work(session);
  expect(simple).not.toHaveBeenCalled();
  return send.mock.calls.map(([steps]) => steps.map(({ text }) => text));
}

/** A transaction on a session, which it gives back with its end. It reads nothing outside. */
const unitOn = (session: Session) =>
  new PostgresUnit({
    acquire: async () => session,
    read: () => Promise.reject(new Error("read outside")),
    hasSearchIndex: async () => false,
    turns: new Turns<Group>(1_000),
    promptKinds: new PromptKinds(),
    specs: [],
  });

const backend = async (pool: Pool) =>
  pool.with(async (session) => (await session.run("select pg_backend_pid()", []))[0]?.[0]);

describe("transactions", () => {
  it("M1: a commit that the database turned into a rollback is a failure", async () => {
    const { store, url } = await freshStore();
    const session = await poolOn(url).acquire();
    const unit = unitOn(session);
    await unit.access.rows({ sql: "select 1", slots: [], name: "one" }, { tenant: "t" });
    await unit.write(() => ({ kind: "append", tenantId: "t", events: [] }));
    // An error that the transaction does not know of.
    await expect(session.run("select 1/0", [])).rejects.toThrow("division by zero");
    expect(await session.simple("commit")).toBe("ROLLBACK");
    await unit.end();
    const doomed = unitOn(session);
    await doomed.access.rows({ sql: "select 1", slots: [], name: "one" }, { tenant: "t" });
    await expect(session.run("select 1/0", [])).rejects.toThrow("division by zero");
    await expect(doomed.commit()).rejects.toMatchObject({ name: "StoreError", code: "aborted" });
    expect((await store.forTenant("t").events({ size: 9 })).events).toEqual([]);
  });

  it("M2: a connection given back inside a transaction is destroyed, with what it wrote and the tenant it had set", async () => {
    const { store, url } = await freshStore();
    const pool = poolOn(url);
    const session = await pool.acquire();
    const [first] = await session.run("select pg_backend_pid()", []);
    await session.simple("begin; select set_config('reeve.tenant', 't', true)");
    await session.run("insert into reeve.counters values ('t', 'x', '', '', 1)", []);
    session.release();
    expect(await backend(pool)).not.toBe(first?.[0]);
    expect(await pool.with((next) => next.run("select count(*) from reeve.counters", []))).toEqual([[0]]);
    expect((await store.forTenant("t").countBy(things, "kind")).size).toBe(0);
  });

  it("M3: the tenant is set for one statement or transaction and never seen by the next borrower", async () => {
    const { store, url } = await freshStore({ poolSize: 1 });
    await store.forTenant("t").insert(things, thing(1));
    const pool = poolOn(url);
    const seen = () =>
      pool.with((session) =>
        session.run("select current_setting('reeve.tenant', true), (select count(*) from reeve.contract_things)", []),
      );
    expect(await seen()).toEqual([[null, 0]]);
    const unit = unitOn(await pool.acquire());
    const sql = "select set_config('reeve.tenant', $1, true)";
    expect(await unit.access.rows({ sql, slots: ["tenant"], name: "tenant" }, { tenant: "t" })).toEqual([["t"]]);
    await unit.commit();
    // PostgreSQL keeps an empty setting afterwards, and with an empty tenant no rows are visible either.
    expect(await seen()).toEqual([["", 0]]);
  });

  it("M4: connections that are killed, idle or lent, end no process, and the store goes on", async () => {
    const { store, url } = await freshStore({ poolSize: 3 });
    const tenant = store.forTenant("t");
    await Promise.all([1, 2, 3].map((n) => tenant.insert(things, thing(n))));
    const admin = await connect(url);
    const killAll = () =>
      admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    const killed = store.transaction("t", async (tx) => {
      await tx.get(things, thing(1).id);
      await killAll();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.insert(things, thing(4));
    });
    await expect(killed).rejects.toMatchObject({ name: "StoreError", code: "unavailable" });
    expect((await tenant.count(things)).count).toBe(3);
  });

  it("M4: who waits too long for a connection is told that the store is busy", async () => {
    const { store } = await freshStore({ poolSize: 1, connectionTimeoutMs: 150 });
    await store.transaction("t", async (tx) => {
      await tx.count(things);
      await expect(store.forTenant("t").count(things)).rejects.toMatchObject({ code: "busy" });
    });
    expect((await store.forTenant("t").count(things)).count).toBe(0);
  });

  it("M7: setting the tenant costs no round trip of its own, in a transaction or outside", async () => {
    const { store, url } = await freshStore();
    const reported = await batches(poolOn(url), async (session) => {
      const unit = unitOn(session);
      const tenant = new SqlTransaction("t", unit);
      await tenant.get(things, "thg_x");
      await tenant.insert(things, thing(1));
      await unit.commit();
    });
    expect(reported).toHaveLength(2);
    expect(reported[0]?.[0]).toBe("begin");
    expect(reported[0]?.[1]).toContain("set_config('reeve.tenant', $1::text, true)");
    expect(reported[0]).toHaveLength(4);
    expect(reported[1]?.at(-1)).toBe("commit");
    const get = new PostgresAccess(
      () => Promise.resolve([]),
      async () => false,
    ).queries.get(tableOf(things));
    const reading = await batches(poolOn(url), async (session) => {
      await session.rows(get, { tenant: "t", id: thing(1).id });
      session.release();
    });
    expect(reading).toEqual([[expect.stringContaining("set_config('reeve.tenant', $1, true)")]]);
    const writing = await batches(poolOn(url), async (session) => {
      const unit = unitOn(session);
      await new SqlTransaction("t", unit).insert(things, thing(2));
      await unit.commit();
    });
    expect(writing).toHaveLength(1);
    expect(writing[0]).toHaveLength(2);
    expect((await store.forTenant("t").count(things)).count).toBe(2);
  });

  it("ends a write past the transaction, which waits for itself, as busy", async () => {
    const { store } = await freshStore({ connectionTimeoutMs: 200 });
    const past = store.transaction("t", async (tx) => {
      await tx.count(things);
      await store.forTenant("t").insert(things, thing(1));
    });
    await expect(past).rejects.toMatchObject({ code: "busy" });
    await store.forTenant("t").insert(things, thing(1));
  });
});

describe("values", () => {
  it.each([
    ["emoji", "👩‍👩‍👧‍👦 🏳️‍🌈"],
    ["right to left", "שלום مرحبا"],
    ["composed", "café"],
    ["decomposed", "cafe\u0301"],
    ["four bytes", "𝒳𐍈"],
    ["quotes and braces", `{"a"},'\\\\b' NULL`],
  ])("M15: %s text comes back byte for byte, and search folds it itself", async (_, text) => {
    const { store } = await freshStore();
    const tenant = store.forTenant("t");
    await tenant.insert(things, thing(1, { name: text, active: true }));
    const row = await tenant.get(things, thing(1).id);
    expect(Buffer.from(row?.value.name ?? "").equals(Buffer.from(text))).toBe(true);
    expect((await tenant.find(things, { where: { active: true }, size: 9 })).rows.length).toBe(1);
    expect((await tenant.find(things, { search: text.toUpperCase(), size: 9 })).rows.length).toBe(1);
  });

  it("is a programming error's own error that passes, not a StoreError", async () => {
    const { store } = await freshStore();
    const work = store.transaction("t", async () => {
      throw new RangeError("mine");
    });
    await expect(work).rejects.not.toBeInstanceOf(StoreError);
  });
});
