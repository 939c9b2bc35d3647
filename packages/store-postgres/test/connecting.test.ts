import { existsSync } from "node:fs";
import { setting, settings } from "@reeve/testkit";
import { runSql, startPostgres } from "@reeve/testkit/postgres";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { ANSWERED, askedOf } from "./asked.js";
import { emptyDatabase, freshStore, migrations, openStore } from "./support.js";
import { openWay } from "./way.js";

/** One of them may hear first that its idle connection ended. */
const refused = expect.stringMatching(/^(storage_unavailable|outcome_unknown)$/);
const allRefused = [refused, refused, refused, refused];
const unavailable = expect.objectContaining({ code: "unavailable" });

/** What a failure says of itself, and its causes. */
function reported(error: unknown): string {
  return error instanceof Error ? `${error.message} ${reported(error.cause)}` : "";
}

describe("a database that cannot be connected to is 503 and never 500:", () => {
  it("its Unix socket is gone, until it is back", async () => {
    const server = await startPostgres({ inMemory: true, settings: { listen_addresses: "" } });
    onTestFinished(() => server.stop());
    const url = server.socketUrl();
    const store = openStore(url, { connectionTimeoutMs: 2_000 });
    const asked = await askedOf(store);
    await expect.poll(asked).toEqual(ANSWERED);
    await server.crash();
    expect(existsSync(`${new URL(url).searchParams.get("host")}/.s.PGSQL.${server.port}`)).toBe(false);
    for (let round = 0; round < 3; round++) expect(await asked()).toEqual(allRefused);
    await expect(store.status()).rejects.toThrow(unavailable);
    await expect(store.migrate()).rejects.toThrow(unavailable);
    expect(reported(await store.status().catch((error: unknown) => error))).toContain("ENOENT");
    await server.restart("fast");
    await expect.poll(asked).toEqual(ANSWERED);
  });

  it("the server takes no connections to it, or has it no more, until it does again", async () => {
    const { url } = await freshStore();
    const admin = inject("postgresUrl");
    const name = new URL(url).pathname.slice(1);
    const asked = await askedOf(openStore(url, { connectionTimeoutMs: 2_000 }));
    await expect.poll(asked).toEqual(ANSWERED);
    await runSql(admin, `alter database ${name} allow_connections false`);
    await runSql(admin, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    for (let round = 0; round < 3; round++) expect(await asked()).toEqual(allRefused);
    await runSql(admin, `alter database ${name} rename to ${name}_away`);
    for (let round = 0; round < 3; round++) expect(await asked()).toEqual(allRefused);
    await runSql(admin, `alter database ${name}_away rename to ${name}`);
    await runSql(admin, `alter database ${name} allow_connections true`);
    await expect.poll(asked).toEqual(ANSWERED);
  });

  it("it has no TLS, which the URL wants", async () => {
    const url = new URL(await emptyDatabase());
    url.search = "?uselibpqcompat=true&sslmode=require";
    url.password = "a-secret";
    const store = openStore(url.href);
    const tried = [() => store.status(), () => store.migrate(), () => store.forTenant("t").get(settings, "n")];
    for (const attempt of tried) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toEqual(unavailable);
      expect(reported(error)).toContain("SSL");
      expect(reported(error)).not.toContain("a-secret");
    }
  });
});

it("a way that is silent to the owner of the tables and the console is unavailable to both", async () => {
  const way = await openWay(await emptyDatabase());
  way.silence(true);
  const store = openStore(way.url, { connectionTimeoutMs: 300, consoleUrl: way.url });
  const question = { statement: "select 1", parameters: [], maxRows: 1, maxBytes: 1_000, timeoutMs: 300 };
  await expect(store.migrate()).rejects.toThrow(unavailable);
  await expect(store.console?.run(question)).rejects.toThrow(unavailable);
});

it("a connection whose prepared statements its host has dropped is unavailable once, and replaced", async () => {
  const pool = new pg.Pool({ connectionString: await emptyDatabase(), max: 1 });
  onTestFinished(() => pool.end());
  const store = createPostgresStore({ pool, migrations });
  onTestFinished(() => store.close());
  await store.migrate();
  const tenant = store.forTenant("t");
  await tenant.insert(settings, setting("n", 1));
  await pool.query("deallocate all");
  await expect(tenant.get(settings, "n")).rejects.toThrow(unavailable);
  expect(await tenant.get(settings, "n")).toBeDefined();
});
