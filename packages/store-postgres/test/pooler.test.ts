import { event, setting, settings, thing, things } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { Session } from "../src/connect/session.js";
import { Namespace } from "../src/statement/namespace.js";
import { connect, freshStore, openStore } from "./support.js";

describe("behind a transaction pooler", () => {
  async function pooled() {
    const { url } = await freshStore();
    const admin = await connect(url);
    const role = `app_${new URL(url).pathname.slice(-8)}`;
    await admin.query(`create role ${role} login`);
    const login = new URL(url);
    login.username = role;
    return { admin, url, login: login.href, role };
  }

  it("names no statements and sends no start-up options", async () => {
    const { admin, url, login, role } = await pooled();
    const migrating = openStore(url, { runtimeRole: role });
    await migrating.migrate();
    await migrating.close();
    const store = openStore(login, { runtimeRole: role, pooler: "transaction", poolSize: 1 });
    const tenant = store.forTenant("t");
    await store.transaction("t", async (tx) => {
      await tx.insert(things, thing(1, { note: "needle" }));
      await tx.append(event(1));
      expect((await tx.count(things)).count).toBe(1);
      await tx.insert(settings, setting("a", 1));
    });
    expect((await tenant.list(things, { search: "needle", size: 9 })).count).toBe(1);
    const { rows } = await admin.query<{ query: string }>("select query from pg_stat_activity where usename = $1", [
      role,
    ]);
    expect(rows.length).toBe(1);
    await store.close();
    await admin.query(`drop owned by ${role}, ${role}_search; drop role ${role}; drop role ${role}_search`);
  });

  it.each([
    ["transaction", false, 0],
    ["none", true, 2],
  ] as const)("with pooler %s (named: %s) a connection keeps %i prepared statements", async (_, named, kept) => {
    const { url } = await freshStore();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    // A client that is ending when its database is dropped tells its pool.
    pool.on("error", () => {});
    const client = await pool.connect();
    const session = new Session(client, {
      named,
      isDistributed: () => false,
      answerTimeoutMs: 5_000,
      namespace: new Namespace(),
      giveBack: (given, broken) => given.release(broken),
    });
    await session.run("select 1", []);
    await session.run("select $1::text", ["x"]);
    expect((await client.query("select from pg_prepared_statements")).rowCount).toBe(kept);
    session.release();
    await pool.end();
  });

  it("refuses a login that is not the runtime role", async () => {
    const { url } = await freshStore();
    const store = openStore(url, { pooler: "transaction" });
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject({ code: "schema" });
  });
});
