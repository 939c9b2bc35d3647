import type { Store, StoredCollection, StoredRecord } from "@reeve/core/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ids } from "../store-contract/builders.js";
import { assets, type SitedAsset, type StoredAsset, settledAssets, sitedAssets, siteOf, tagOf } from "./collections.js";
import { oldProcess } from "./old-process.js";

/** `before` runs the migrations that the fixture has, `present` adds the field, `settled` admits older code no longer. */
export type Release = "before" | "present" | "settled";

/** A copy of the database that the release before wrote. */
export interface UpgradeDatabase {
  /** A store as a release of the code opens it. */
  open(release: Release, collection?: StoredCollection<SitedAsset>): Store;
  /** Upgrades in a process of its own, which is killed when it has this many rows in hand. */
  killAt(rows: number): Promise<void>;
}

export interface UpgradeOptions {
  readonly name: string;
  restore(): Promise<UpgradeDatabase>;
}

/** Rows of a tenant, more than one chunk of a backfill. */
const ROWS = 1_300;
/** Far behind the ids of a fixture, whose backfill begins before. */
const BULK_TENANT = "ten_zz_bulk";

/** Declares the upgrade of a database while a process of the release before writes to it. */
export function describeUpgrade({ name, restore }: UpgradeOptions): void {
  const restored = () => restoredBy(restore);

  describe(`K17 upgrade: ${name}`, () => {
    it("loses nothing while a process of the release before goes on writing", async () => {
      const { open, before } = await restored();
      await before.forTenant(BULK_TENANT).insertMany(assets, await bulk(before));
      const old = await oldProcess(before);
      const present = open("present");
      const ended = vi.fn();
      const migrating = present.migrate().finally(ended);
      const rowsDone = async () => (await before.status()).backfills?.[0]?.done ?? 0;
      // One write for each step of the backfill that is seen, so that neither side keeps the other from its turn.
      for (let done = -1; ended.mock.calls.length === 0; ) {
        const last = done;
        await vi.waitFor(async () => {
          done = await rowsDone();
          expect(done > last || ended.mock.calls.length > 0).toBe(true);
        }, 60_000);
        await old.write();
      }
      await migrating;
      for (const tenantId of [BULK_TENANT, old.tenantId]) await expectSame(before, present, tenantId);
      await old.write();
      await expectSame(before, present, old.tenantId);
      expect(await old.controlPlane.verifyEvents()).toMatchObject({ faults: [] });
      expect(await old.ping(), "the release before stays ready").toBe(200);
      const { backfills = [], migration } = await present.status();
      expect(migration).toEqual({ applied: 2, latest: 2 });
      expect(backfills).toMatchObject([{ name: "2/ai_assets", finished: true }]);
      expect(backfills[0]?.done).toBeGreaterThanOrEqual(ROWS);
    });

    it("what the present release writes, the release before keeps and changes", async () => {
      const { open, before } = await restored();
      const present = open("present");
      await present.migrate();
      const again = open("before");
      await again.migrate();
      expect(await again.status()).toMatchObject({ migration: { applied: 2, latest: 1 } });
      const old = await oldProcess(again);
      await old.write();
      const sited = sitedAssets();
      const tenant = present.forTenant(old.tenantId);
      const [row] = (await tenant.find(sited, { where: { site: "site of test" }, size: 1 })).rows;
      if (!row) throw new Error("the old process wrote nothing");
      await tenant.replace(sited, { ...row.value, version: row.version + 1, name: "renamed" }, row.value);
      const seen = await before.forTenant(old.tenantId).get(assets, row.id);
      expect(seen?.value).toMatchObject({ name: "renamed", site: "site of test" });
      await expectSame(before, present, old.tenantId);
    });

    it("the release before answers a change with what the present one added to the record meanwhile", async () => {
      const { open, before } = await restored();
      const old = await oldProcess(before);
      const present = open("present");
      const answer = await old.write(() => present.migrate());
      expect(answer).toMatchObject({ environment: "test", site: "site of production", tag: null });
      await expectSame(before, present, old.tenantId);
    });

    it("a backfill that fails keeps its place, and the next one goes on from there", async () => {
      const { open, before } = await restored();
      const records = await bulk(before);
      await before.forTenant(BULK_TENANT).insertMany(assets, records);
      const bad = records.at(-1)?.id as string;
      const failing = sitedAssets((id) => {
        if (id === bad) throw new Error("cannot be read");
      });
      await expect(open("present", failing).migrate()).rejects.toMatchObject({ code: "schema" });
      const [stopped] = (await before.status()).backfills ?? [];
      expect(stopped).toMatchObject({ finished: false });
      expect(stopped?.done).toBeGreaterThan(500);
      let upcasts = 0;
      const present = open(
        "present",
        sitedAssets(() => {
          upcasts += 1;
        }),
      );
      await present.migrate();
      expect(upcasts).toBeLessThan(2 * (ROWS - 500));
      expect((await present.status()).backfills).toMatchObject([{ finished: true, done: stopped?.total }]);
      await expectSame(before, present, BULK_TENANT);
    });

    it("a process that is killed in the middle loses its chunk, and the next one goes on from there", async () => {
      const { open, before, killAt } = await restored();
      await before.forTenant(BULK_TENANT).insertMany(assets, await bulk(before));
      await killAt(900);
      const [stopped] = (await before.status()).backfills ?? [];
      expect(stopped).toMatchObject({ finished: false });
      expect(stopped?.done).toBeGreaterThanOrEqual(500);
      expect(stopped?.done).toBeLessThan(900);
      const old = await oldProcess(before);
      await old.write();
      const present = open("present");
      await present.migrate();
      expect((await present.status()).backfills).toMatchObject([{ finished: true }]);
      for (const tenantId of [BULK_TENANT, old.tenantId]) await expectSame(before, present, tenantId);
    });

    it("of several processes that upgrade at once each row is filled once", async () => {
      const { open, before } = await restored();
      await before.forTenant(BULK_TENANT).insertMany(assets, await bulk(before));
      await Promise.all([open("present").migrate(), open("present").migrate(), open("present").migrate()]);
      const [filled] = (await before.status()).backfills ?? [];
      expect(filled).toMatchObject({ finished: true, done: filled?.total });
    });

    it("after the last migration of the shape older code is refused, and nothing of it is missed", async () => {
      const { open, before } = await restored();
      const old = await oldProcess(before);
      await open("present").migrate();
      await old.write();
      const settled = open("settled");
      await settled.migrate();
      await expectSame(before, settled, old.tenantId, settledAssets());
      expect(await before.status()).toMatchObject({ migration: { refused: true } });
      expect(await old.ping(), "the release before takes no more requests").toBe(503);
      await expect(open("before").migrate()).rejects.toMatchObject({ code: "schema" });
      expect((await settled.status()).migration).toEqual({ applied: 4, latest: 4 });
    });

    it("a database that skipped a release is brought to the last", async () => {
      const { open, before } = await restored();
      await before.forTenant(BULK_TENANT).insertMany(assets, await bulk(before));
      const settled = open("settled");
      await settled.migrate();
      await expectSame(before, settled, BULK_TENANT, settledAssets());
      await settled.migrate();
    });
  });
}

/** A copy of the database, whose stores close after the test. */
export async function restoredBy(restore: UpgradeOptions["restore"]) {
  const database = await restore();
  const killAt = (rows: number) => database.killAt(rows);
  const open: UpgradeDatabase["open"] = (...release) => {
    const store = database.open(...release);
    onTestFinished(() => store.close());
    return store;
  };
  const before = open("before");
  await before.migrate();
  return { open, before, killAt };
}

/** Assets in the form of one that the fixture has. */
export async function bulk(store: Store): Promise<StoredAsset[]> {
  const { tenantId } = await oldProcess(store, "zqbravo", 2_000_000);
  const [row] = (await store.forTenant(tenantId).find(assets, { size: 1 })).rows;
  if (!row) throw new Error("the fixture has no asset");
  return Array.from({ length: ROWS }, (_, n) => ({
    ...row.value,
    id: `ast_${String(n).padStart(26, "0")}`,
    version: 1,
    externalRef: { id: `bulk-${n}` },
    environment: n % 2 === 0 ? "production" : "test",
  }));
}

/** Each record is what the release before reads, and has its site; a query by the site finds it. */
async function expectSame(
  before: Store,
  present: Store,
  tenantId: string,
  sited: StoredCollection<SitedAsset> = sitedAssets(),
): Promise<void> {
  const stored = await all(before, tenantId, assets);
  const wanted = stored.map((asset) => ({ ...asset, site: siteOf(asset), tag: tagOf(asset) }));
  expect(wanted.length).toBeGreaterThan(0);
  expect(await all(present, tenantId, sited)).toEqual(wanted);
  for (const site of new Set(wanted.map((asset) => asset.site))) {
    const found: string[] = [];
    for (let page = 0; ; page++) {
      const rows = ids(await present.forTenant(tenantId).find(sited, { where: { site }, size: 500, page }));
      if (rows.length === 0) break;
      found.push(...rows);
    }
    const held = wanted.filter((asset) => asset.site === site).map(({ id }) => id);
    expect(found.sort(), site).toEqual(held.sort());
  }
  const sites = new Map<string, number>();
  for (const { site } of wanted) sites.set(site, (sites.get(site) ?? 0) + 1);
  expect(await present.forTenant(tenantId).countBy(sited, "site")).toEqual(sites);
  const counts = [before, present].map((store) => store.forTenant(tenantId).count(assets));
  expect(await Promise.all(counts)).toEqual([0, 1].map(() => ({ count: wanted.length, exact: true })));
}

async function all<R extends StoredRecord>(
  store: Store,
  tenantId: string,
  collection: StoredCollection<R>,
): Promise<R[]> {
  const found: R[] = [];
  for (;;) {
    const after = found.at(-1)?.id;
    const rows = await store.forTenant(tenantId).scan(collection, { size: 1_000, ...(after ? { after } : {}) });
    if (rows.length === 0) return found;
    found.push(...rows.map(({ value }) => value));
  }
}
