import { silentLogger } from "@reeve/core/store";
import { setting, settings, thing, things } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { Pool } from "../src/connect/pool.js";
import { createPostgresStore } from "../src/index.js";
import { Namespace } from "../src/statement/namespace.js";
import { connect, emptyDatabase, freshStore, migrations, openStore } from "./support.js";
import { openWay } from "./way.js";

const SHORT = { connectionTimeoutMs: 300, answerTimeoutMs: 300 };

/** A store behind a way that can fall silent, and one beside it. */
async function silenceable(options: object = SHORT) {
  const { store, url } = await freshStore();
  const way = await openWay(url);
  const through = openStore(way.url, { poolSize: 2, ...options });
  await through.forTenant("t").insert(settings, setting("n", 0));
  return { store, way, through, tenant: through.forTenant("t") };
}

describe("a network or a server that gives no answer", () => {
  it("K10, O1 ends reads by a deadline, and the next use another connection", async () => {
    const { way, tenant } = await silenceable();
    way.silence(true);
    const silent = await Promise.all([1, 2, 3].map((n) => tenant.get(things, thing(n).id).catch((error) => error)));
    for (const error of silent) expect(error).toMatchObject({ code: expect.stringMatching(/^(unavailable|busy)$/) });
    way.silence(false);
    expect(await tenant.get(settings, "n")).toBeDefined();
  });

  it("K10 ends a transaction by a deadline, and one whose commit got no answer has an unknown outcome", async () => {
    const { way, through, store } = await silenceable();
    const early = through.transaction("t", async (tx) => {
      await tx.get(settings, "n");
      way.silence(true);
      await tx.insert(things, thing(1));
      await tx.count(things);
    });
    await expect(early).rejects.toMatchObject({ code: "unavailable" });
    way.silence(false);
    const late = through.transaction("t", async (tx) => {
      await tx.count(things);
      await tx.insert(things, thing(2));
      way.silence(true);
    });
    await expect(late).rejects.toMatchObject({ code: "outcome_unknown" });
    way.silence(false);
    await through.forTenant("t").insert(things, thing(3));
    expect((await store.forTenant("t").count(things)).count).toBe(1);
  });

  it("K10 tells whether the store is usable within the time for a connection, though statements may take longer", async () => {
    const { way, through } = await silenceable({ connectionTimeoutMs: 300 });
    way.silence(true);
    await expect(through.status()).rejects.toMatchObject({ code: "unavailable" });
    way.silence(false);
    expect(await through.status()).toMatchObject({ kind: "postgres" });
  });

  it("K10 does not keep a store from closing", async () => {
    const { way, through } = await silenceable();
    await through.watch?.(() => {});
    way.silence(true);
    const reading = through
      .forTenant("t")
      .get(settings, "n")
      .catch((error: unknown) => error);
    await through.close();
    expect(await reading).toMatchObject({ code: "unavailable" });
  });

  it("K10 ends what waits on a connection of the host's pool", async () => {
    const { url } = await freshStore();
    const way = await openWay(url);
    const pool = new pg.Pool({ connectionString: way.url, max: 1, connectionTimeoutMillis: 300 });
    pool.on("error", () => {});
    const store = createPostgresStore({ pool, migrations, ...SHORT });
    onTestFinished(async () => {
      await store.close();
      await pool.end();
    });
    await store.status();
    way.silence(true);
    // The connection may still be on its way back to the pool.
    await expect(store.forTenant("t").get(settings, "n")).rejects.toMatchObject({
      code: expect.stringMatching(/^(unavailable|busy)$/),
    });
    way.silence(false);
    expect(await store.forTenant("t").get(settings, "n")).toBeUndefined();
  });
});

describe("a process that is frozen within a transaction", () => {
  it("K9, O2 holds up a tenant's writes for the time that a transaction may be idle, and no longer", async () => {
    const { store, url } = await freshStore();
    const frozen = openStore(url, { idleTransactionTimeoutMs: 300 });
    let thaw = (): void => undefined;
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    let isHolding = (): void => undefined;
    const holding = new Promise<void>((resolve) => {
      isHolding = resolve;
    });
    const work = frozen.transaction("t", async (tx) => {
      await tx.count(things);
      isHolding();
      await thawed;
      await tx.insert(things, thing(1));
    });
    await holding;
    await store.forTenant("t").insert(things, thing(2));
    thaw();
    await expect(work).rejects.toMatchObject({ code: "unavailable" });
    expect((await store.forTenant("t").count(things)).count).toBe(1);
    await frozen.forTenant("t").insert(things, thing(3));
  });

  it("K9 is given up by the server soon after its machine is gone, and behind a pooler by the role's settings", async () => {
    const { url } = await freshStore();
    const pool = new Pool({
      source: url,
      namespace: new Namespace(),
      runtimeRole: "reeve_app",
      poolSize: 1,
      pooler: "none",
      connectionTimeoutMs: 2_000,
      statementTimeoutMs: 5_000,
      answerTimeoutMs: 7_000,
      idleTransactionTimeoutMs: 10_000,
      logger: silentLogger,
    });
    onTestFinished(() => pool.end());
    const names = ["idle_in_transaction_session_timeout", "tcp_keepalives_idle", "tcp_user_timeout"];
    const asked = `select ${names.map((name) => `current_setting('${name}')`).join(", ")}, (select array_to_string(setconfig, ' ')
      from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname = 'reeve_app')`;
    const [row] = await pool.with((session) => session.run(asked, []));
    expect(row).toEqual(["10s", "10", "30000", expect.stringContaining("idle_in_transaction_session_timeout=10000")]);
  });
});

describe("a process that hangs while it migrates", () => {
  it("K15 holds up the others for a time, who say so, and no longer than it lives", async () => {
    const url = await emptyDatabase();
    const hanging = await connect(url);
    await hanging.query("begin; select pg_advisory_xact_lock(7233331, hashtext('reeve'))");
    const store = openStore(url, { migrationWaitMs: 300 });
    await expect(store.migrate()).rejects.toMatchObject({
      code: "busy",
      message: 'something else holds the schema "reeve" for more than 300 ms',
    });
    await hanging.end();
    await store.migrate();
    await store.forTenant("t").insert(things, thing(1));
  });
});
