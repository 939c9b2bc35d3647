import { silentLogger } from "@reeve/core/store";
import { SqlReader } from "@reeve/store-sql";
import { event, manyThings, things } from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { MOST_PREPARED } from "../src/connect/pipelined-batch.js";
import { Pool } from "../src/connect/pool.js";
import type { Session } from "../src/connect/session.js";
import { PostgresAccess } from "../src/query/access.js";
import { storeError } from "../src/statement/errors.js";
import { Namespace } from "../src/statement/namespace.js";
import { freshStore } from "./support.js";

async function onePool(runtimeRole = "reeve_app") {
  const { store, url } = await freshStore({ runtimeRole });
  await store.forTenant("t").insertMany(things, manyThings(3));
  await store.forTenant("t").append(event(1), event(2));
  const pool = new Pool({
    source: url,
    namespace: new Namespace(),
    runtimeRole,
    poolSize: 1,
    pooler: "none",
    connectionTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
    answerTimeoutMs: 7_000,
    idleTransactionTimeoutMs: 10_000,
    logger: silentLogger,
  });
  onTestFinished(() => pool.end());
  return { pool, url };
}

/** The runtime role of the store whose backend is measured. It may read of the memory of its own session. */
const MEASURED = "reeve_measured";
const MEMORY = "select sum(total_bytes)::bigint from pg_backend_memory_contexts";

const kept = (pool: Pool) =>
  pool.with(async (session) => (await session.run("select count(*) from pg_prepared_statements", []))[0]?.[0]);

describe("prepared statements", () => {
  it("K4 are none of a page's size", async () => {
    const { pool } = await onePool();
    const access = new PostgresAccess(
      (query, values) => pool.with((session) => session.rows(query, values)),
      async () => false,
    );
    const reader = new SqlReader("t", access);
    const ask = async (size: number) => {
      await reader.find(things, { size });
      await reader.list(things, { size, page: 1 });
      expect(await reader.scan(things, { size })).toHaveLength(Math.min(size, 3));
      expect((await reader.events({ size })).events).toHaveLength(Math.min(size, 2));
      await reader.events({ size, page: 1 });
      await reader.scanEvents({ size });
    };
    await ask(1);
    const first = await kept(pool);
    for (let size = 2; size <= 30; size++) await ask(size);
    expect(await kept(pool)).toBe(first);
  });

  it("K4 are closed when others are used more, and made again when they are needed", async () => {
    const { pool } = await onePool();
    const ask = (n: number) => pool.with((session) => session.run(`select ${n}::bigint, $1::text`, ["x"]));
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < MOST_PREPARED + 40; n++) expect(await ask(n)).toEqual([[n, "x"]]);
    }
    expect(await kept(pool)).toBeLessThanOrEqual(MOST_PREPARED + 1);
    const all = Array.from({ length: MOST_PREPARED + 40 }, (_, n) => n);
    const answers = await pool.with((session) =>
      session.send(all.map((n) => session.ready({ text: `select ${n}::bigint`, values: [], name: `own_${n}` }))),
    );
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(all);
    const again = await pool.with((session) =>
      session.send(all.map((n) => session.ready({ text: `select ${n}::bigint`, values: [], name: `own_${n}` }))),
    );
    expect(again.map(({ rows }) => rows[0]?.[0])).toEqual(all);
    await ask(1);
    expect(await kept(pool)).toBeLessThanOrEqual(MOST_PREPARED + 2);
  });

  it("K4 are closed when they fail in execution, of however many shapes", async () => {
    const { pool } = await onePool();
    const fail = (n: number) => pool.with((session) => session.run(`select ${n} / $1::bigint`, ["0"]));
    for (let n = 0; n < MOST_PREPARED + 40; n++) await expect(fail(n)).rejects.toThrow("division by zero");
    expect(await kept(pool)).toBeLessThanOrEqual(MOST_PREPARED + 1);
  });

  it("say that the database is unavailable, once, when somebody altered their table", async () => {
    const { pool, url } = await onePool();
    const read = (session: Session) => session.run("select * from altered.things", []);
    const ask = () => pool.with(read).catch((error: unknown) => Promise.reject(storeError(error)));
    await runSql(url, "create schema altered; create table altered.things as select 1::bigint as n");
    await runSql(url, "grant usage on schema altered to public; grant select on altered.things to public");
    expect(await ask()).toEqual([[1]]);
    await runSql(url, "alter table altered.things alter n type text");
    await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
    expect(await ask()).toEqual([["1"]]);
  });

  it("K4 leave the memory of a backend flat from 1,000 to 10,000 shapes, of which some fail", async ({ annotate }) => {
    const { pool } = await onePool(MEASURED);
    await runSql(inject("postgresUrl"), `grant pg_read_all_stats to ${MEASURED}`);
    const memory = () => pool.with(async (session) => Number((await session.run(MEMORY, []))[0]?.[0]));
    const step = (n: number, by: string) => {
      const read = "select body from reeve.contract_things where tenant_id = $2 and id > '' limit 1";
      const text = `select ${n} / $1::bigint, (${read})`;
      return { text, values: [by, "t"], name: `shape_${n}` };
    };
    /** Sends many in one round trip. The last of them fails in execution. */
    const askAll = async (from: number, to: number) => {
      for (let n = from; n < to; n += 100) {
        const steps = Array.from({ length: 100 }, (_, at) => step(n + at, at < 99 ? "1" : "0"));
        await expect(pool.with((session) => session.send(steps))).rejects.toThrow("division by zero");
      }
    };
    await askAll(0, 1_000);
    const first = await memory();
    await askAll(1_000, 10_000);
    const last = await memory();
    await annotate(`${first} bytes at 1,000 shapes, ${last} at 10,000`);
    expect(last).toBeLessThan(1.1 * first);
  });

  it("stay usable after one of the same text failed before them, in a batch of its own", async () => {
    const { pool } = await onePool();
    const outcomes = await pool.with(async (session) => {
      const divided = (by: string) => session.ready({ text: "select 4 / $1::bigint", values: [by], name: "divided" });
      const together = () => Promise.allSettled(session.sendTogether([[divided("0")], [divided("2")], [divided("0")]]));
      return [...(await together()), ...(await together())];
    });
    expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value[0]?.rows[0]?.[0] : "failed"))).toEqual([
      "failed",
      2,
      "failed",
      "failed",
      2,
      "failed",
    ]);
  });
});
