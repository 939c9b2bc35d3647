import {
  contractCollections,
  describeEstateRaces,
  describeGoldenRun,
  describeStoreConcurrency,
  describeStoreContract,
  event,
} from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KERNEL_TABLES } from "../src/connect/grants.js";
import { collectionMigration, createPostgresStore } from "../src/index.js";

/** The coordinator's URL of an empty database of a Citus cluster. Its tables are Reeve's from then on. */
const url = process.env.TEST_CITUS_URL ?? "";
const migrations = [collectionMigration(1_000, "contract", contractCollections)];
const open = () => createPostgresStore({ url, migrations, poolSize: 6 });

describe.skipIf(url === "")("on a Citus cluster", () => {
  let admin: pg.Client;
  let all: readonly string[];
  let written: readonly string[];

  beforeAll(async () => {
    const store = open();
    await store.migrate();
    await store.cluster.distribute();
    await store.close();
    // Triggers look at the head of a chain, from the shards of its events.
    await runSql(url, "alter role current_user set citus.allow_nested_distributed_execution = on");
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      "select relname::text as name from pg_class where relnamespace = 'reeve'::regnamespace and relkind = 'r' and relrowsecurity",
    );
    all = rows.map(({ name }) => name);
    written = all.filter((name) => name.startsWith("contract_") || KERNEL_TABLES.includes(name));
  }, 1_200_000);
  afterAll(() => admin?.end());

  /** Deletes the rows of a case. Triggers let a chain go that was given up. */
  const deleteRows = async (names: readonly string[]) => {
    await admin.query("update reeve.chain_heads set pruned = seq");
    await admin.query("delete from reeve.events");
    for (const name of names) await admin.query(`delete from reeve."${name}"`);
  };

  const create = () => {
    const opened = [open()];
    return {
      store: opened[0] as ReturnType<typeof open>,
      open: () => {
        const store = open();
        opened.push(store);
        return store;
      },
      dispose: async () => {
        await Promise.all(opened.map((store) => store.close()));
        await deleteRows(written);
      },
    };
  };

  it("all tables are where they belong, with row-level security on each shard", async () => {
    const store = open();
    const tables = await store.cluster.tables();
    await store.close();
    expect(tables.filter(({ isDone }) => !isDone)).toEqual([]);
    const { rows } = await admin.query<{ result: string }>(
      `select result from run_command_on_workers($$select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'reeve' and c.relname like 'contract\\_things\\_%' and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)$$)`,
    );
    expect(rows.map(({ result }) => result)).toEqual(rows.map(() => "0"));
  });

  it("a dump keeps the writes of all tenants away, which go on behind it", async () => {
    const { store, open: again, dispose } = create();
    const hasty = createPostgresStore({ url, migrations, connectionTimeoutMs: 300 });
    await store.forTenant("one").append(event(1));
    await store.dump(async () => {
      await expect(hasty.forTenant("one").append(event(2))).rejects.toMatchObject({ code: "busy" });
      await expect(hasty.forTenant("two").append(event(3))).rejects.toMatchObject({ code: "busy" });
      expect(await again().forTenant("one").scanEvents({ size: 5 })).toHaveLength(1);
    });
    await hasty.forTenant("one").append(event(4));
    await hasty.close();
    await dispose();
  });

  describeStoreContract({
    name: "PostgreSQL with Citus",
    create: async () => {
      const { store, open: again, dispose } = create();
      return { store, reopen: async () => again(), dispose };
    },
  });

  describeStoreConcurrency({
    name: "PostgreSQL with Citus",
    createPair: async () => {
      const { store, open: again, dispose } = create();
      return { stores: [store, again()], dispose };
    },
  });

  const whole = async () => {
    const store = open();
    const dispose = async () => {
      await store.close();
      await deleteRows(all);
    };
    return { store, dispose };
  };
  describeEstateRaces({ name: "PostgreSQL with Citus", create: whole });
  describeGoldenRun({ name: "PostgreSQL with Citus", timeout: 1_200_000, create: whole });
});
