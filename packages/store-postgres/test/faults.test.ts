import { event, setting, settings, thing, things } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

describe("a connection lost", () => {
  it("after a write was sent leaves the outcome unknown, and the write is there or not, whole", async () => {
    const { store, url } = await freshStore();
    const way = await openWay(url);
    const lossy = openStore(way.url, { poolSize: 1 });
    await lossy.forTenant("t").count(things);
    way.lose("insert into");
    const work = lossy.transaction("t", async (tx) => {
      await tx.insert(things, thing(1));
      await tx.append(event(1));
    });
    await expect(work).rejects.toMatchObject({ code: "outcome_unknown" });
    way.lose(undefined);
    const rows = (await store.forTenant("t").count(things)).count;
    expect((await store.forTenant("t").events({ size: 9 })).total.count).toBe(rows);
    await lossy.forTenant("t").insert(things, thing(2));
  });

  it("after COMMIT was sent leaves the outcome unknown", async () => {
    const { store, url } = await freshStore();
    const way = await openWay(url);
    const lossy = openStore(way.url, { poolSize: 1 });
    const work = lossy.transaction("t", async (tx) => {
      await tx.insert(things, thing(1));
      await tx.count(things);
      way.lose("commit");
    });
    await expect(work).rejects.toMatchObject({ code: "outcome_unknown" });
    way.lose(undefined);
    expect((await store.forTenant("t").count(things)).count).toBe(1);
  });

  it("while reading is plainly unavailable", async () => {
    const { url } = await freshStore();
    const way = await openWay(url);
    const lossy = openStore(way.url, { poolSize: 1 });
    await lossy.status();
    way.lose("contract_things");
    await expect(lossy.forTenant("t").get(things, "x")).rejects.toMatchObject({ code: "unavailable" });
    way.lose(undefined);
    expect(await lossy.forTenant("t").get(things, "x")).toBeUndefined();
  });

  it("for good is unavailable, not a hang", async () => {
    const store = openStore("postgres://postgres@127.0.0.1:1/none");
    await expect(store.status()).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.forTenant("t").insert(things, thing(1))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("at any step of a transaction fails it cleanly, stores nothing, and the pool recovers", async () => {
    const { store, url } = await freshStore({ poolSize: 2 });
    const tenant = store.forTenant("t");
    await tenant.insert(settings, setting("n", 0));
    const admin = await connect(url);
    const kill = async () => {
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await expect
        .poll(async () => {
          const left = await admin.query(
            "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
          );
          return left.rowCount;
        })
        .toBe(0);
    };
    for (let step = 0; step < 4; step++) {
      const work = store.transaction("t", async (tx) => {
        await tx.get(settings, "n");
        if (step === 0) await kill();
        await tx.insert(things, thing(step));
        if (step === 1) await kill();
        await tx.count(things);
        if (step === 2) await kill();
        await tx.append(event(step));
        if (step === 3) await kill();
      });
      await expect(work, `killed at step ${step}`).rejects.toMatchObject({ name: "StoreError" });
      expect((await tenant.count(things)).count).toBe(0);
      expect((await tenant.events({ size: 9 })).events).toEqual([]);
    }
  });
});

describe("a conflict", () => {
  it("is tried again with the whole work, and given up after three retries", async () => {
    const { store, url } = await freshStore();
    const admin = await connect(url);
    await admin.query(`create function clash() returns trigger language plpgsql as $$
      begin raise exception 'clash' using errcode = '40001'; end $$;
      create trigger clash before insert on contract_settings for each row execute function clash()`);
    let runs = 0;
    const work = store.transaction("t", async (tx) => {
      runs++;
      await tx.insert(settings, setting("a", 1));
    });
    await expect(work).rejects.toMatchObject({ code: "conflict" });
    expect(runs).toBe(4);
    await admin.query("drop trigger clash on contract_settings");
    await store.forTenant("t").insert(settings, setting("a", 1));
  });

  it("that the work swallowed is tried again all the same", async () => {
    const { store, url } = await freshStore();
    const admin = await connect(url);
    await admin.query(`create function clash() returns trigger language plpgsql as $$
      begin raise exception 'clash' using errcode = '40P01'; end $$;
      create trigger clash before insert on contract_settings for each row execute function clash()`);
    let runs = 0;
    const work = store.transaction("t", async (tx) => {
      if (++runs === 3) await admin.query("drop trigger clash on contract_settings");
      await tx.insert(settings, setting("a", 1));
      await tx.count(settings).catch(() => undefined);
    });
    await work;
    expect(runs).toBe(3);
    expect((await store.forTenant("t").count(settings)).count).toBe(1);
  });
});
