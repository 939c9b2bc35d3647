import { type Store, StoreError } from "@reeve/core/store";
import { event, thing, things } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

/** A transaction of more than one round trip, which ends with `COMMIT`. */
const readThenWrite = (store: Store, n: number) =>
  store.transaction("t", async (tx) => {
    await tx.count(things);
    await tx.insert(things, thing(n));
    await tx.append(event(n));
  });

/** A transaction of one statement, which commits by itself. */
const writeAtOnce = (store: Store, n: number) =>
  store.transaction("t", async (tx) => {
    await tx.insert(things, thing(n));
    await tx.append(event(n));
  });

async function lossy() {
  const { store, url } = await freshStore();
  const way = await openWay(url);
  const through = openStore(way.url, { poolSize: 1 });
  await through.status();
  const stored = async () => (await store.forTenant("t").count(things)).count;
  return { way, through, stored, url, store };
}

describe("the end of a transaction while the server stops", () => {
  it("K1 a commit whose confirmation was seen is a success, though the connection ended right after it", async () => {
    const { way, through, stored } = await lossy();
    way.terminate({ tag: "COMMIT", moment: "after" });
    await readThenWrite(through, 1);
    way.terminate(undefined);
    expect(await stored()).toBe(1);
    await readThenWrite(through, 2);
    expect(await stored()).toBe(2);
  });

  it("K1 reads asked for after that commit fail, and the commit does not", async () => {
    const { way, through, stored } = await lossy();
    way.terminate({ tag: "COMMIT", moment: "after" });
    let read: Promise<unknown> | undefined;
    await through.transaction("t", async (tx) => {
      await tx.count(things);
      await tx.insert(things, thing(1));
      read = tx.afterCommit.count(things);
      read.catch(() => undefined);
    });
    await expect(read).rejects.toThrow();
    expect(await stored()).toBe(1);
  });

  it("K1 a commit whose confirmation gave way to a shutdown has an unknown outcome, not a failed one", async () => {
    const { way, through, stored } = await lossy();
    way.terminate({ tag: "COMMIT", moment: "before" });
    await expect(readThenWrite(through, 1)).rejects.toMatchObject({ code: "outcome_unknown" });
    way.terminate(undefined);
    expect(await stored()).toBe(1);
  });

  it("K1 a single statement that ended before the commit behind it was confirmed has an unknown outcome", async () => {
    const { way, through, stored } = await lossy();
    way.terminate({ tag: "SELECT 1", moment: "after" });
    await expect(writeAtOnce(through, 1)).rejects.toMatchObject({ code: "outcome_unknown" });
    way.terminate(undefined);
    expect(await stored()).toBe(1);
  });

  it("K1 work that was stopped before its commit was reached is plainly unavailable", async () => {
    const { store, url } = await freshStore();
    await writeAtOnce(store, 0);
    const [holder, admin] = [await connect(url), await connect(url)];
    for (const [at, work] of [readThenWrite, writeAtOnce].entries()) {
      await holder.query("begin");
      await holder.query("select from reeve.chain_heads where tenant_id = 't' for update");
      const outcome = work(store, at + 1).catch((error: unknown) => error);
      await expect
        .poll(async () => {
          const { rowCount } = await admin.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rowCount;
        })
        .toBe(1);
      expect(await outcome).toMatchObject({ code: "unavailable" });
      await holder.query("rollback");
    }
    expect((await store.forTenant("t").count(things)).count).toBe(1);
  });

  it("K1, O3 no write is told failed and stored while backends are ended at random", async () => {
    const { store, url } = await freshStore({ poolSize: 4 });
    const admin = await connect(url);
    let running = true;
    const ending = (async () => {
      while (running) {
        await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1",
        );
      }
    })();
    const failed: number[] = [];
    const worker = async (offset: number) => {
      for (let n = offset; n < 400; n += 4) {
        const work = n % 8 < 4 ? readThenWrite : writeAtOnce;
        await work(store, n).catch((error: unknown) => {
          if (!StoreError.is(error)) throw error;
          if (error.code !== "outcome_unknown") failed.push(n);
        });
      }
    };
    await Promise.all([0, 1, 2, 3].map(worker));
    running = false;
    await ending;
    // By a connection that none of this has ended.
    const ids = failed.map((n) => thing(n).id);
    const { rows } = await admin.query("select id from reeve.contract_things where id = any($1)", [ids]);
    expect(failed.length).toBeGreaterThan(0);
    expect(rows).toEqual([]);
  });
});
