import { setting, settings } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { connect, freshStore, openStore } from "./support.js";

/** A server that says of itself what the coordinator of a cluster does, and refuses locks as during a move of rows. */
async function refusing({ times, ofCluster = true }: { readonly times: number; readonly ofCluster?: boolean }) {
  const { url } = await freshStore();
  const admin = await connect(url);
  if (ofCluster) {
    await admin.query(`set allow_system_table_mods = on;
      create table pg_catalog.pg_dist_partition as select 'reeve.chain_heads'::regclass::oid as logicalrelid;
      grant select on pg_catalog.pg_dist_partition to public`);
  }
  await admin.query(`create sequence refused; grant usage on sequence refused to public;
    create function refuse() returns trigger language plpgsql as $$ begin
      if nextval('reeve.refused') <= ${times} then
        raise exception 'canceling statement due to lock timeout' using errcode = '55P03';
      end if;
      return new; end $$;
    create trigger refuse before insert on contract_settings for each row execute function refuse()`);
  return url;
}

describe("a write that is refused a lock", () => {
  it("is tried again on a cluster, and is there once", async () => {
    const store = openStore(await refusing({ times: 3 }));
    await store.forTenant("t").count(settings);
    let runs = 0;
    await store.transaction("t", async (tx) => {
      runs++;
      await tx.insert(settings, setting("a", 1));
      await tx.count(settings);
    });
    expect(runs).toBe(4);
    expect((await store.forTenant("t").count(settings)).count).toBe(1);
  });

  it("is tried again where it is the only statement too", async () => {
    const store = openStore(await refusing({ times: 3 }));
    await store.forTenant("t").insert(settings, setting("a", 1));
    expect((await store.forTenant("t").count(settings)).count).toBe(1);
  });

  it("is busy after three retries", async () => {
    const store = openStore(await refusing({ times: 4 }));
    const write = store.forTenant("t").insert(settings, setting("a", 1));
    await expect(write).rejects.toMatchObject({ code: "busy", cause: { code: "55P03" } });
    expect((await store.forTenant("t").count(settings)).count).toBe(0);
    await store.forTenant("t").insert(settings, setting("a", 1));
  });

  it("is busy at once where another wait would take longer than a statement may", async () => {
    const url = await refusing({ times: 1 });
    const store = openStore(url, { connectionTimeoutMs: 1_000, statementTimeoutMs: 1_000 });
    await expect(store.forTenant("t").insert(settings, setting("a", 1))).rejects.toMatchObject({ code: "busy" });
  });

  it("is busy at once on a server that is no cluster, where nothing moves", async () => {
    const store = openStore(await refusing({ times: 1, ofCluster: false }));
    await expect(store.forTenant("t").insert(settings, setting("a", 1))).rejects.toMatchObject({ code: "busy" });
  });

  it("lets those that wait behind it in the tenant try again too", async () => {
    const store = openStore(await refusing({ times: 1 }), { connectionTimeoutMs: 1_000 });
    const runs = { second: 0, third: 0 };
    let thirdAgain!: () => void;
    const isAgain = new Promise<void>((resolve) => {
      thirdAgain = resolve;
    });
    const first = store.transaction("t", async (tx) => {
      await tx.count(settings);
      await tx.insert(settings, setting("first", 1));
      await tx.count(settings);
    });
    const second = store.transaction("t", async (tx) => {
      runs.second++;
      await tx.count(settings);
      // It keeps the turn until the third has given up waiting for it.
      await isAgain;
      await tx.insert(settings, setting("second", 1));
    });
    const third = store.transaction("t", async (tx) => {
      if (++runs.third === 2) thirdAgain();
      await tx.count(settings);
      await tx.insert(settings, setting("third", 1));
    });
    await Promise.all([first, second, third]);
    expect(runs).toEqual({ second: 1, third: 2 });
    expect((await store.forTenant("t").count(settings)).count).toBe(3);
  });
});
