import { setImmediate as turn } from "node:timers/promises";
import type { Store, Transaction } from "@reeve/core/store";
import { event, successor, thing, things } from "@reeve/testkit";
import type pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Session } from "../src/connect/session.js";
import { Chain } from "./chain.js";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The process remembers each kind, so every test has its own. */
const kind = () => expect.getState().currentTestName;

/** Runs work whose failure may be looked at later. */
function run<T>(store: Store, work: (tx: Transaction) => Promise<T>, name?: string): Promise<T> {
  const running = store.transaction("t", work, name);
  running.catch(() => undefined);
  return running;
}

const write = (store: Store, n: number, patch = {}) =>
  run(store, async (tx) => {
    await tx.insert(things, thing(n, patch));
    await tx.append(event(n));
  });

/** A write that others wait for, because somebody else has the tenant's lock. */
async function held(url: string, store: Store) {
  const [holder, admin] = [await connect(url), await connect(url)];
  await store.forTenant("t").append(event(0));
  await holder.query("begin");
  await holder.query("select from reeve.chain_heads where tenant_id = 't' for update");
  const first = write(store, 900);
  await blocked(admin);
  return { first, release: () => holder.query("rollback"), admin };
}

/** Waits until a statement waits for a lock, and returns its process. */
async function blocked(client: pg.Client, before = 0): Promise<number> {
  let pid = before;
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      pid = rows[0]?.pid ?? before;
      return pid;
    })
    .not.toBe(before);
  return pid;
}

/** Counts the transactions that begin from now on and have more than one statement. */
function countGroups(): () => number {
  const [alone, both] = [vi.spyOn(Session.prototype, "send"), vi.spyOn(Session.prototype, "sendTogether")];
  return () =>
    [...alone.mock.calls.map(([steps]) => steps), ...both.mock.calls.map(([[first]]) => first ?? [])].filter(
      (steps) => steps[0]?.text === "begin",
    ).length;
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

async function expectChain(store: Store, count: number): Promise<void> {
  const chain = new Chain();
  await chain.goOn(store.forTenant("t"));
  expect(chain.flaws).toEqual([]);
  expect(chain.places.size).toBe(count);
}

describe("writes of a tenant that wait for each other", () => {
  it("K14 are committed together, each with its own events in the order in which they came", async () => {
    const { store, url } = await freshStore();
    const { first, release } = await held(url, store);
    const groups = countGroups();
    const all = numbers(1, 20).map((n) => write(store, n));
    await release();
    await Promise.all([first, ...all]);
    expect(groups()).toBe(1);
    await expectChain(store, 22);
    const events = await store.forTenant("t").scanEvents({ after: 2, size: 100 });
    expect(events.map(({ id }) => id)).toEqual(numbers(1, 20).map((n) => event(n).id));
    expect((await store.forTenant("t").count(things)).count).toBe(21);
  });

  it("K1 hear the truth with reads behind their commit, when each message of the server comes by itself", async () => {
    const { url } = await freshStore();
    const way = await openWay(url);
    const store = openStore(way.url);
    await store.forTenant("t").insert(things, thing(2));
    const { first, release } = await held(url, store);
    const both = vi.spyOn(Session.prototype, "sendTogether");
    way.slow(true);
    const all = numbers(1, 3).map((n) =>
      run(store, async (tx) => {
        const found = tx.afterCommit.lookup(things, "slug", { slug: `s${n}` });
        found.catch(() => undefined);
        await tx.insert(things, thing(n, { slug: `s${n}` }));
        return { found };
      }),
    );
    await release();
    await first;
    expect(await Promise.all(all.map(code))).toEqual(["done", "duplicate", "done"]);
    expect(Math.max(...both.mock.calls.map(([batches]) => batches.length))).toBe(4);
    const found = await Promise.all([all[0], all[2]].map(async (one) => (await one?.then((it) => it.found))?.id));
    expect(found).toEqual([thing(1).id, thing(3).id]);
    expect((await store.forTenant("t").count(things)).count).toBe(4);
  });

  it("K14 are not more than 32 in one commit", async () => {
    const { store, url } = await freshStore();
    const { first, release } = await held(url, store);
    const groups = countGroups();
    const all = numbers(1, 70).map((n) => write(store, n));
    await release();
    await Promise.all([first, ...all]);
    expect(groups()).toBe(3);
    await expectChain(store, 72);
  });

  it("K14 see what those before them have written, when they read", async () => {
    const { store, url } = await freshStore();
    const work = (n: number) => async (tx: Transaction) => {
      const { count } = await tx.count(things);
      await tx.insert(things, thing(n, { slug: `number-${count}` }));
      return count;
    };
    await run(store, work(1), kind());
    const { first, release } = await held(url, store);
    const groups = countGroups();
    const all = numbers(2, 10).map((n) => run(store, work(n), kind()));
    await release();
    await first;
    expect(await Promise.all(all)).toEqual(numbers(2, 10));
    expect(groups()).toBeLessThan(10);
  });

  it("K14 are refused alone: a taken key and a stale version leave the others as they are", async () => {
    const { store, url } = await freshStore();
    const old = thing(1);
    await store.forTenant("t").insert(things, old);
    const { first, release } = await held(url, store);
    const groups = countGroups();
    const replace = (name: string) => run(store, (tx) => tx.replace(things, successor(old, { name }), old));
    const all = [
      write(store, 2, { slug: "a" }),
      write(store, 3, { slug: "a" }),
      replace("one"),
      replace("two"),
      write(store, 4),
      write(store, 2),
      write(store, 5, { slug: "b" }),
    ];
    await release();
    expect(await Promise.all([first, ...all].map(code))).toEqual([
      ...["done", "done", "duplicate", "done", "stale", "done", "duplicate", "done"],
    ]);
    await expect(all[1]).rejects.toMatchObject({ detail: { key: "slug" } });
    expect(groups()).toBe(1);
    await expectChain(store, 5);
    expect((await store.forTenant("t").get(things, old.id))?.value).toMatchObject({ name: "one", version: 2 });
  });

  it("K14 are refused alone also when they read first, or throw", async () => {
    const { store, url } = await freshStore();
    const work =
      (n: number, fails = false) =>
      async (tx: Transaction) => {
        await tx.count(things);
        await tx.insert(things, thing(n));
        await tx.append(event(n));
        if (fails) throw new RangeError("mine");
      };
    await run(store, work(1), kind());
    const { first, release } = await held(url, store);
    const all = [
      run(store, work(2), kind()),
      run(store, work(2), kind()),
      run(store, work(3, true), kind()),
      write(store, 4),
      run(store, work(5), kind()),
    ];
    await release();
    expect(await Promise.all([first, ...all].map(code))).toEqual([
      ...["done", "done", "duplicate", "RangeError: mine", "done", "done"],
    ]);
    await expectChain(store, 6);
  });

  it("K14 read after the commit what they asked for, each for itself", async () => {
    const { store, url } = await freshStore();
    const { first, release } = await held(url, store);
    await (await connect(url)).query("revoke select on event_streams from reeve_app");
    const asking = (n: number) =>
      run(store, async (tx) => {
        const own = tx.afterCommit.get(things, thing(n).id);
        const broken = n === 2 ? tx.afterCommit.events({ stream: "s", size: 9 }) : undefined;
        for (const read of [own, broken]) read?.catch(() => undefined);
        await tx.insert(things, thing(n, { slug: n > 2 ? "taken" : null }));
        return { own, broken };
      });
    const all = numbers(1, 4).map(asking);
    await release();
    await first;
    for (const at of [0, 2]) expect((await (await all[at])?.own)?.value.version).toBe(1);
    await expect((await all[1])?.broken).rejects.toThrow("permission denied");
    await expect(all[3]).rejects.toMatchObject({ code: "duplicate" });
  });

  it("K14 do not wait for what another one reads after the commit", async () => {
    const { store, url } = await freshStore();
    const reads = (n: number) => async (tx: Transaction) => {
      await tx.count(things);
      await tx.insert(things, thing(n));
    };
    await run(store, reads(1), kind());
    const { first, release, admin } = await held(url, store);
    const before = run(store, reads(2), kind());
    await turn();
    let isRead = false;
    const asking = run(store, async (tx) => {
      const read = tx.afterCommit.events({ stream: "s", size: 9 }).finally(() => {
        isRead = true;
      });
      read.catch(() => undefined);
      await tx.insert(things, thing(3));
      return { read };
    });
    await admin.query("begin");
    await admin.query("lock table event_streams");
    await release();
    await Promise.all([first, before]);
    expect(isRead).toBe(false);
    await admin.query("rollback");
    expect((await (await asking).read).events).toEqual([]);
  });

  it("K14 need no connection while they wait", async () => {
    const { store, url } = await freshStore({ poolSize: 2 });
    const { first, release } = await held(url, store);
    const all = numbers(1, 20).map((n) => write(store, n));
    await store.forTenant("u").insert(things, thing(1));
    await release();
    await Promise.all([first, ...all]);
  });

  it("K14 are stored before the store is closed, and their readers too", async () => {
    const { store, url } = await freshStore({ poolSize: 2 });
    const reads = (n: number) => async (tx: Transaction) => {
      await tx.count(things);
      await tx.insert(things, thing(n));
      await tx.append(event(n));
    };
    await run(store, reads(1), kind());
    const { first, release } = await held(url, store);
    const all = numbers(2, 8).map((n) => (n % 2 === 0 ? write(store, n) : run(store, reads(n), kind())));
    const closed = store.close();
    const late = write(store, 100);
    await release();
    expect(await Promise.all([first, ...all].map(code))).toEqual(numbers(0, 9).map(() => "done"));
    expect(await code(late)).toBe("closed");
    await closed;
    await expectChain(openStore(url), 11);
  });

  it("K14 go together with those of another process", async () => {
    const { store, url } = await freshStore();
    const other = openStore(url);
    await Promise.all(numbers(1, 120).map((n) => write(n % 2 === 0 ? store : other, n)));
    await expectChain(store, 120);
  });

  it("K14 of two tenants take both locks in one order, and nobody joins them", async () => {
    const { store } = await freshStore();
    const both = (n: number, [own, other]: readonly [string, string]) =>
      store.transaction(own, async (tx) => {
        await tx.count(things);
        await tx.insert(things, thing(n));
        await tx.as(other).insert(things, thing(n));
      });
    const pairs = numbers(1, 4).map((n) => both(n, n % 2 === 0 ? ["t", "u"] : ["u", "t"]));
    await Promise.all([...pairs, ...numbers(100, 12).map((n) => write(store, n))]);
    expect((await store.forTenant("t").count(things)).count).toBe(16);
    expect((await store.forTenant("u").count(things)).count).toBe(4);
    await expectChain(store, 12);
  });

  it("K14 do not wait for one that takes longer than its kind did before", async () => {
    const { store, url } = await freshStore();
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const work = (n: number, until?: Promise<void>) => async (tx: Transaction) => {
      await tx.count(things);
      await until;
      await tx.insert(things, thing(n));
    };
    await run(store, work(1), kind());
    const { first, release } = await held(url, store);
    const before = write(store, 2);
    await turn();
    const slow = run(store, work(3, gate), kind());
    const behind = write(store, 4);
    await release();
    const reported = await Promise.all([first, before, behind].map(code));
    go();
    expect(reported).toEqual(["done", "done", "done"]);
    await slow;
    expect((await store.forTenant("t").count(things)).count).toBe(5);
  });
});

describe("a group whose connection breaks", () => {
  async function lossy() {
    const { store, url } = await freshStore();
    const way = await openWay(url);
    const through = openStore(way.url, { poolSize: 2 });
    await through.status();
    return { way, through, store, url };
  }

  it("K14 of which the confirmation was lost is of unknown outcome for all, and stored", async () => {
    const { way, through, store, url } = await lossy();
    const { first, release } = await held(url, through);
    const all = numbers(1, 5).map((n) => write(through, n, { slug: n > 3 ? "same" : null }));
    way.terminate({ tag: "COMMIT", moment: "before" });
    await release();
    await first;
    const reported = await Promise.all(all.slice(0, 4).map(code));
    expect(reported).toEqual(["outcome_unknown", "outcome_unknown", "outcome_unknown", "outcome_unknown"]);
    // Its refusal rested on what may not be stored, so it was asked again.
    expect(await code(all[4] as Promise<void>)).toBe("duplicate");
    way.terminate(undefined);
    expect((await store.forTenant("t").count(things)).count).toBe(5);
    await expectChain(store, 6);
  });

  it("K14 of which the confirmation was lost does not run the one again that committed it", async () => {
    const { way, through, store, url } = await lossy();
    let runs = 0;
    const reads = (n: number) => async (tx: Transaction) => {
      await tx.count(things);
      runs += 1;
      await tx.insert(things, thing(n));
      await tx.append(event(n));
    };
    await run(through, reads(1), kind());
    const { first, release } = await held(url, through);
    const before = write(through, 2);
    await turn();
    const all = [before, run(through, reads(3), kind())];
    way.terminate({ tag: "COMMIT", moment: "before" });
    await release();
    await first;
    expect(await Promise.all(all.map(code))).toEqual(["outcome_unknown", "outcome_unknown"]);
    expect(runs).toBe(2);
    way.terminate(undefined);
    expect((await store.forTenant("t").count(things)).count).toBe(4);
  });

  it("K14 before the commit is plainly unavailable for all, and nothing is stored", async () => {
    const { store, url } = await freshStore();
    const { first, release, admin } = await held(url, store);
    const all = numbers(1, 5).map((n) => write(store, n));
    const pid = await blocked(admin);
    await admin.query("select pg_terminate_backend($1)", [pid]);
    expect(await code(first)).toBe("unavailable");
    await admin.query("select pg_terminate_backend($1)", [await blocked(admin, pid)]);
    expect(await Promise.all(all.map(code))).toEqual(numbers(1, 5).map(() => "unavailable"));
    await release();
    expect((await store.forTenant("t").count(things)).count).toBe(0);
    await write(store, 1);
    await expectChain(store, 2);
  });

  it("K14 is told busy as a whole when the lock does not come in time, and its connection goes on", async () => {
    const { store, url } = await freshStore({ poolSize: 1, connectionTimeoutMs: 700 });
    const { first, release, admin } = await held(url, store);
    const pid = await blocked(admin);
    expect(await code(first)).toBe("busy");
    const all = numbers(1, 3).map((n) => write(store, n));
    expect(await Promise.all(all.map(code))).toEqual(["busy", "busy", "busy"]);
    await release();
    await write(store, 4);
    const { rows } = await admin.query("select from pg_stat_activity where pid = $1", [pid]);
    expect(rows).toHaveLength(1);
  });
});
