import type { Store } from "@reeve/core/store";
import { describe, expect, it } from "vitest";
import { assets, type SitedAsset, type StoredAsset, settledAssets, sitedAssets } from "./collections.js";
import { bulk, restoredBy, type UpgradeOptions } from "./upgrade.js";

const TENANT = "ten_zz_keys";
const OTHER = "ten_zz_other";
const sited = sitedAssets();

/** Declares what holds for a unique key and counters that a release adds, while the release before writes. */
export function describeAddedKeys({ name, restore }: UpgradeOptions): void {
  /** Assets of the release before with these names, in a database of the present one. */
  const placed = async (...names: readonly string[]) => {
    const database = await restoredBy(restore);
    const some = await bulk(database.before);
    /** Assets of the release before with these names, whose numbers begin at `from`. */
    const named = (each: readonly string[], from = 0): StoredAsset[] =>
      each.map((called, at) => ({ ...(some[from + at] as StoredAsset), name: called, environment: "test" }));
    const made = named(names);
    await database.before.forTenant(TENANT).insertMany(assets, made);
    const present = database.open("present");
    await present.migrate();
    return {
      ...database,
      present,
      made,
      named,
      old: database.before.forTenant(TENANT),
      owner: present.forTenant(TENANT),
    };
  };
  const tagged = (tag: string) => ({ tag });

  describe(`K17 added keys and counters: ${name}`, () => {
    it("a key is looked up and kept, in what older code has written too", async () => {
      const { old, owner, named } = await placed("tag a", "plain", "plain");
      expect((await owner.lookup(sited, "tag", tagged("tag a")))?.value.name).toBe("tag a");
      const [late, ...more] = named(["tag b", "tag a", "tag b", "tag c"], 50);
      await old.insert(assets, late as StoredAsset);
      expect((await owner.lookup(sited, "tag", tagged("tag b")))?.id).toBe(late?.id);
      const [first] = await owner.lookupMany(sited, "tag", [tagged("tag b")]);
      expect(first?.id).toBe(late?.id);
      const [takenA, takenB, free] = more.map(asSited) as [SitedAsset, SitedAsset, SitedAsset];
      for (const taken of [takenA, takenB])
        await expect(owner.insert(sited, taken)).rejects.toMatchObject({ code: "duplicate", detail: { key: "tag" } });
      await owner.insert(sited, free);
    });

    it("a key that another tenant has too is no shared one, and is looked up by each", async () => {
      const { before, owner, open, made, named } = await placed("tag a");
      const [theirs] = named(["tag a"], 50) as [StoredAsset];
      await before.forTenant(OTHER).insert(assets, theirs);
      expect((await owner.lookup(sited, "tag", tagged("tag a")))?.id).toBe(made[0]?.id);
      const settled = open("settled");
      await settled.migrate();
      const ids = [TENANT, OTHER].map(async (tenantId) => {
        return (await settled.forTenant(tenantId).lookup(settledAssets(), "tag", tagged("tag a")))?.id;
      });
      expect(await Promise.all(ids)).toEqual([made[0]?.id, theirs.id]);
      expect(await settled.forTenant(OTHER).countBy(settledAssets(), "site")).toEqual(new Map([["site of test", 1]]));
    });

    it("a key that older code gave up is free, and one that it took is taken", async () => {
      const { old, owner, made, named } = await placed("tag a");
      const [first] = made as [StoredAsset];
      await old.replace(assets, { ...first, version: 2, name: "tag b" }, first);
      const [a, b] = named(["tag a", "tag b"], 50).map(asSited) as [SitedAsset, SitedAsset];
      await expect(owner.insert(sited, b)).rejects.toMatchObject({ code: "duplicate" });
      await owner.insert(sited, a);
      expect((await owner.lookup(sited, "tag", tagged("tag b")))?.id).toBe(first.id);
    });

    it("records that share a key lose nothing, and hold the settling step until each has its own", async () => {
      const names = ["tag a", "tag a", "tag a", "tag b"];
      const { before, old, owner, open, made, named, present } = await placed(...names);
      expect(await all(present)).toEqual(made.map(asSited));
      const [, second, third] = made as [StoredAsset, StoredAsset, StoredAsset, StoredAsset];
      const settled = open("settled");
      const reported = `ai_assets: records whose tag another record has too: 2 (${second.id}, ${third.id})`;
      await expect(settled.migrate()).rejects.toMatchObject({
        code: "schema",
        message: expect.stringContaining(reported),
      });
      expect((await before.status()).migration, "older code goes on").not.toHaveProperty("refused");
      const kept = asSited(second);
      await expect(owner.replace(sited, { ...kept, version: 2 }, kept)).rejects.toMatchObject({ code: "duplicate" });
      await owner.replace(sited, { ...kept, version: 2, name: "tag c", tag: "tag c" }, kept);
      await old.replace(assets, { ...third, version: 2, name: "plain" }, third);
      await settled.migrate();
      expect((await settled.status()).migration).toEqual({ applied: 4, latest: 4 });
      for (const [at, tag] of ["tag a", "tag c"].entries())
        expect((await settled.forTenant(TENANT).lookup(settledAssets(), "tag", tagged(tag)))?.id).toBe(made[at]?.id);
      const [again] = named(["tag b"], 50).map(asSited) as [SitedAsset];
      await expect(settled.forTenant(TENANT).insert(settledAssets(), again)).rejects.toMatchObject({
        code: "duplicate",
      });
    });

    it("a key that became free is given to the record that waits for it", async () => {
      const { old, open, made } = await placed("tag a", "tag a");
      const [first, second] = made as [StoredAsset, StoredAsset];
      await old.remove(assets, first, first.createdAt);
      const settled = open("settled");
      await settled.migrate();
      const row = await settled.forTenant(TENANT).lookup(settledAssets(), "tag", tagged("tag a"));
      expect(row?.id).toBe(second.id);
    });

    it("counts are those of the rows while older code writes, and of counters afterwards", async () => {
      const { old, owner, open, made, named } = await placed("one", "two", "three");
      const site = (n: number) => new Map([["site of test", n]]);
      const [one, two] = made as [StoredAsset, StoredAsset];
      await old.remove(assets, one, one.createdAt);
      expect(await owner.countBy(sited, "site")).toEqual(site(2));
      await old.replace(assets, { ...two, version: 2, environment: "production" }, two);
      await old.insertMany(assets, named(["four"], 50));
      const both = new Map([...site(2), ["site of production", 1]]);
      expect(await owner.countBy(sited, "site")).toEqual(both);
      expect(await owner.count(sited, { where: { site: ["site of test", "site of production"] } })).toEqual({
        count: 3,
        exact: true,
      });
      const settled = open("settled");
      await settled.migrate();
      const tenant = settled.forTenant(TENANT);
      expect(await tenant.countBy(settledAssets(), "site")).toEqual(both);
      const [five] = named(["five"], 60).map(asSited) as [SitedAsset];
      await tenant.insert(settledAssets(), five);
      expect(await tenant.countBy(settledAssets(), "site")).toEqual(new Map([...both, ["site of test", 3]]));
    });
  });
}

function asSited(asset: StoredAsset): SitedAsset {
  return sited.upcasts?.[1]?.(asset as never) as SitedAsset;
}

async function all(store: Store): Promise<SitedAsset[]> {
  return (await store.forTenant(TENANT).scan(sited, { size: 100 })).map(({ value }) => value);
}
