import { createPlane, createTenant, randomOf, setting, settings } from "@reeve/testkit";
import { freePort, type PostgresServer, type PostgresSettings, runSql, startPostgres } from "@reeve/testkit/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, type PostgresStoreOptions } from "../src/index.js";
import { creates, lieOf, type Reported, type WriteUnderFire } from "./kills.js";
import { migrations, openStore } from "./support.js";
import { openWay } from "./way.js";

/** A night run makes scores, an ordinary one some. */
const RESTARTS = Number(process.env.REEVE_FAULTS_RESTARTS ?? 3);
const SEED = Number(process.env.REEVE_FAULTS_SEED ?? Date.now() % 1_000_000);
const SHORT = { connectionTimeoutMs: 2_000, answerTimeoutMs: 2_000 };

/** A server whose commits survive its crash. */
async function ownServer(settings: PostgresSettings = {}): Promise<PostgresServer> {
  const server = await startPostgres({ inMemory: true, settings: { synchronous_commit: "on", ...settings } });
  onTestFinished(() => server.stop());
  return server;
}

/** A control plane on a store with this URL, and its creates. */
async function planeOn(url: string, options: Partial<PostgresStoreOptions> = {}) {
  const store = openStore(url, { ...SHORT, ...options });
  const plane = createPlane({ store });
  await plane.controlPlane.ready();
  const { token } = (await createTenant(plane, "servers")).owner;
  return { store, plane, token, write: creates(plane.send, plane.send, token) };
}

/** Creates by four clients while something happens, and what each was told. */
async function load(
  write: WriteUnderFire,
  first: number,
  during: () => Promise<unknown>,
): Promise<Map<number, Reported>> {
  const reported = new Map<number, Reported>();
  let next = first;
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const n = next++;
      reported.set(n, await write.write(n));
    }
  };
  const clients = [1, 2, 3, 4].map(client);
  await during();
  isOver = true;
  await Promise.all(clients);
  return reported;
}

async function liesAmong(write: WriteUnderFire, reported: ReadonlyMap<number, Reported>): Promise<string[]> {
  const lies: string[] = [];
  for (const [n, what] of reported) {
    const lie = lieOf(what, await write.stored(n));
    if (lie !== undefined) lies.push(`write ${n}: ${lie}`);
  }
  return lies;
}

const countOf = (reported: ReadonlyMap<number, Reported>, wanted: Reported) =>
  [...reported.values()].filter((what) => what === wanted).length;
const doneOf = (reported: ReadonlyMap<number, Reported>) => countOf(reported, "done");
const comesBack = (write: WriteUnderFire, n: number) => expect.poll(() => write.write(n)).toBe("done");

describe("a server that restarts", () => {
  it(`loses no answered write and lies about none, ${RESTARTS} times with seed ${SEED}`, {
    timeout: 120_000 + RESTARTS * 20_000,
  }, async ({ annotate }) => {
    const server = await ownServer();
    const { write } = await planeOn(server.url());
    const random = randomOf(SEED);
    const all = new Map<number, Reported>();
    for (let round = 1; round <= RESTARTS; round++) {
      const how = random() < 0.5 ? "fast" : "immediate";
      const reported = await load(write, round * 100_000, async () => {
        await comesBack(write, round * 100_000 + 99_998);
        await server.restart(how);
        await comesBack(write, round * 100_000 + 99_999);
      });
      for (const [n, what] of reported) all.set(n, what);
    }
    const lies = await liesAmong(write, all);
    const answers = (["done", "failed", "unknown"] as const).map((what) => `${countOf(all, what)} ${what}`);
    await annotate(
      `seed ${SEED}: ${RESTARTS} restarts in ${all.size} writes, ${lies.length} lies (${answers.join(", ")})`,
    );
    expect(lies).toEqual([]);
    expect(doneOf(all)).toBeGreaterThan(0);
  });
});

describe("a URL of several servers", () => {
  it("O8 leads to the one that takes writes, and to the standby once that is promoted", {
    timeout: 180_000,
  }, async () => {
    const primary = await ownServer();
    const standby = await primary.standby();
    onTestFinished(() => standby.stop());
    await runSql(primary.url(), "alter system set synchronous_standby_names = '*'");
    await runSql(primary.url(), "select pg_reload_conf()");
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const { store, write } = await planeOn(`postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`);
    expect(await store.status()).toMatchObject({ readOnly: false });
    const reported = await load(write, 0, async () => {
      await comesBack(write, 99_998);
      await primary.crash();
      await runSql(standby.url(), "select pg_promote()");
      await comesBack(write, 99_999);
    });
    expect(await liesAmong(write, reported)).toEqual([]);
    expect(doneOf(reported)).toBeGreaterThan(0);
  });

  it("O8 passes by a server that is not there and one that gives no answer", async () => {
    const server = await ownServer();
    const way = await openWay(server.url());
    way.silence(true);
    const hosts = [await freePort(), new URL(way.url).port, server.port].map((port) => `127.0.0.1:${port}`).join(",");
    const store = openStore(`postgres://postgres@${hosts}/postgres`, { ...SHORT, connectionTimeoutMs: 500 });
    await store.migrate();
    await store.forTenant("t").insert(settings, setting("n", 1));
    expect(await store.forTenant("t").get(settings, "n")).toBeDefined();
  });

  it("connects by a Unix socket alone, with a host before the database or none", async () => {
    const server = await ownServer({ listen_addresses: "" });
    const { search } = new URL(server.socketUrl());
    const given = [`localhost:${server.port}/postgres${search}`, `/postgres${search}&port=${server.port}`];
    for (const [n, rest] of given.entries()) {
      const store = openStore(`postgres://postgres@${rest}&target_session_attrs=read-write`);
      await store.migrate();
      await store.forTenant("t").insert(settings, setting(`n${n}`, 1));
      expect(await store.forTenant("t").get(settings, `n${n}`)).toBeDefined();
    }
  });

  it("O8 that wants a server for reads only is refused, as a store writes", () => {
    for (const wanted of ["standby", "read-only", "prefer-standby"]) {
      const url = `postgres://app@one,two/app?target_session_attrs=${wanted}`;
      expect(() => createPostgresStore({ url, migrations })).toThrow(/target_session_attrs/);
    }
  });
});
