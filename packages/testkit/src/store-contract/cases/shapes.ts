import { expect } from "vitest";
import { idOf, ids, successor } from "../builders.js";
import type { CaseGroup, Contract } from "../contract.js";
import { nextParcels, oldParcel, oldParcels, type Parcel, parcels } from "../shapes.js";

const EU = { where: { region: "eu" }, size: 10 } as const;

export const shapeCases: CaseGroup = {
  "a record of an earlier shape is read in the present one": async ({ owner }) => {
    const stored = oldParcel(1);
    const seen = { ...stored, region: "eu" };
    await owner.insert(oldParcels, stored);
    const rows = [
      await owner.get(parcels, stored.id),
      (await owner.getMany(parcels, [stored.id]))[0],
      await owner.lookup(parcels, "place", { place: stored.place }),
      (await owner.lookupMany(parcels, "place", [{ place: stored.place }]))[0],
      (await owner.find(parcels, { size: 1 })).rows[0],
      (await owner.scan(parcels, { size: 1 }))[0],
    ];
    for (const row of rows) {
      expect(row?.value).toEqual(seen);
      expect(JSON.parse(row?.text ?? "")).toEqual(seen);
      expect(row).toMatchObject({ id: stored.id, version: 1, tenantId: owner.tenantId });
    }
    const listed = await owner.list(parcels, { size: 5 });
    expect([JSON.parse(listed.items), listed.total]).toEqual([[seen], { count: 1, exact: true }]);
  },
  "reading changes nothing that is stored": async ({ owner }) => {
    await owner.insert(oldParcels, oldParcel(1));
    await owner.get(parcels, idOf("prc", 1));
    expect((await owner.get(oldParcels, idOf("prc", 1)))?.value).toEqual(oldParcel(1));
  },
  "a record of the present shape is not upcast": async ({ owner }) => {
    await owner.insert(parcels, { ...oldParcel(1), region: "chosen" });
    expect((await owner.get(parcels, idOf("prc", 1)))?.value.region).toBe("chosen");
    expect(ids(await owner.find(parcels, { where: { region: "chosen" }, size: 5 }))).toEqual([idOf("prc", 1)]);
  },
  "a query by an added field finds what older code has written": async ({ owner, stranger }) => {
    await owner.insertMany(oldParcels, [oldParcel(1), oldParcel(2, { place: "us/2" }), oldParcel(3)]);
    await stranger.insert(oldParcels, oldParcel(4));
    expect(ids(await owner.find(parcels, EU))).toEqual([idOf("prc", 3), idOf("prc", 1)]);
    expect(await owner.count(parcels, { where: EU.where })).toEqual({ count: 2, exact: true });
    await owner.insert(oldParcels, oldParcel(5));
    expect((await owner.list(parcels, EU)).count).toBe(3);
    await owner.insert(oldParcels, oldParcel(6, { place: "asia/6" }));
    const ordered = await owner.find(parcels, { order: { by: "region", direction: "asc" }, size: 1 });
    expect(ids(ordered)).toEqual([idOf("prc", 6)]);
    await owner.insert(oldParcels, oldParcel(7, { place: "us/7" }));
    const top = await owner.findTopPerKey(parcels, { field: "region", values: ["us"], size: 5 });
    expect(ids(top.get("us") ?? [])).toEqual([idOf("prc", 7), idOf("prc", 2)]);
    expect(ids(await stranger.find(parcels, EU))).toEqual([idOf("prc", 4)]);
  },
  "an added field is counted in what older code has written, changed and removed": async ({ owner, store }) => {
    const [first, second] = [oldParcel(1), oldParcel(2)];
    await owner.insertMany(oldParcels, [first, second, oldParcel(3), oldParcel(4, { place: "us/4" })]);
    await owner.insert(parcels, { ...oldParcel(5), region: "eu" });
    expect(await owner.countBy(parcels, "region")).toEqual(new Map(Object.entries({ eu: 4, us: 1 })));
    await owner.replace(oldParcels, successor(first, { place: "us/1" }), first);
    await owner.remove(oldParcels, second, second.createdAt);
    const counts = new Map(Object.entries({ eu: 2, us: 2 }));
    expect(await owner.countBy(parcels, "region")).toEqual(counts);
    expect(await owner.count(parcels, { where: { region: ["eu", "us"] } })).toEqual({ count: 4, exact: true });
    const inside = await store.transaction(owner.tenantId, async (tx) => {
      await tx.insert(parcels, { ...oldParcel(6), region: "us" });
      return tx.countBy(parcels, "region");
    });
    expect(inside).toEqual(new Map(Object.entries({ eu: 2, us: 3 })));
  },
  "and in a transaction, with what the transaction wrote": async ({ owner, store }) => {
    await owner.insert(oldParcels, oldParcel(1));
    const found = await store.transaction(owner.tenantId, async (tx) => {
      await tx.insert(parcels, { ...oldParcel(2), region: "eu" });
      return ids(await tx.find(parcels, EU));
    });
    expect(found).toEqual([idOf("prc", 2), idOf("prc", 1)]);
    expect(ids(await owner.find(parcels, EU))).toEqual([idOf("prc", 2), idOf("prc", 1)]);
  },
  "filling a row raises no version, and keeps counters and keys": async ({ owner }) => {
    await owner.insert(oldParcels, oldParcel(1));
    await owner.find(parcels, EU);
    const row = await owner.get(oldParcels, idOf("prc", 1));
    expect([row?.version, row?.value.version]).toEqual([1, 1]);
    expect(await owner.countBy(parcels, "status")).toEqual(new Map([["new", 1]]));
    await expect(owner.insert(parcels, { ...oldParcel(2, { place: "eu/1" }), region: "eu" })).rejects.toMatchObject({
      detail: { key: "place" },
    });
  },
  "a change by older code is upcast again, and keeps what that code does not know": async ({ owner }) => {
    await owner.insert(parcels, { ...oldParcel(1), region: "eu", extra: "kept" } as Parcel);
    const seen = (await owner.get(oldParcels, idOf("prc", 1)))?.value;
    if (!seen) throw new Error("the record is lost");
    await owner.replace(oldParcels, successor(seen, { place: "us/1" }), seen);
    const row = await owner.get(parcels, seen.id);
    expect(row?.value).toMatchObject({ version: 2, place: "us/1", region: "us", extra: "kept" });
    expect(ids(await owner.find(parcels, EU)), "its column is of before").toEqual([]);
    expect(ids(await owner.find(parcels, { where: { region: "us" }, size: 5 }))).toEqual([seen.id]);
  },
  "a change of an upcast record stores all of it": async ({ owner }) => {
    await owner.insert(oldParcels, oldParcel(1));
    const seen = (await owner.get(parcels, idOf("prc", 1)))?.value;
    if (!seen) throw new Error("the record is lost");
    await owner.replace(parcels, successor(seen, { status: "sent" }), seen);
    expect(ids(await owner.find(parcels, EU))).toEqual([seen.id]);
    expect((await owner.get(oldParcels, seen.id))?.value).toMatchObject({ version: 2, status: "sent", region: "eu" });
    expect(await owner.countBy(parcels, "status")).toEqual(new Map([["sent", 1]]));
  },
  "a record of a newer shape passes through code that does not know it": async ({ owner }) => {
    const newest = { ...oldParcel(1), region: "eu", size: "large" };
    await owner.insert(nextParcels, newest);
    const seen = (await owner.get(parcels, newest.id))?.value;
    if (!seen) throw new Error("the record is lost");
    expect(seen).toEqual(newest);
    await owner.replace(parcels, successor(seen, { status: "sent" }), seen);
    expect((await owner.get(nextParcels, newest.id))?.value).toMatchObject({ status: "sent", size: "large" });
  },
  "a record of an earlier shape is removed": async ({ owner }) => {
    await owner.insert(oldParcels, oldParcel(1));
    const seen = (await owner.get(parcels, idOf("prc", 1)))?.value;
    if (!seen) throw new Error("the record is lost");
    await owner.remove(parcels, seen, seen.createdAt);
    expect(ids(await owner.find(parcels, EU))).toEqual([]);
    expect(await owner.count(parcels)).toEqual({ count: 0, exact: true });
  },
  "a search finds the words of the present shape in what older code has written": async ({ owner }) => {
    await owner.insert(oldParcels, oldParcel(1, { place: "antarctica/1", note: "penguins" }));
    for (const search of ["antarct", "pengu"])
      expect(ids(await owner.find(parcels, { search, size: 5 })), search).toEqual([idOf("prc", 1)]);
  },
  "more rows than one round trip fills are found": async (c) => {
    await withOld(c, 450);
    expect(await c.owner.count(parcels, { where: { region: "eu" } })).toEqual({ count: 450, exact: true });
  },
  "several callers that fill the same rows agree": async (c) => {
    await withOld(c, 100);
    const counts = await Promise.all([1, 2, 3, 4].map(() => c.owner.count(parcels, { where: { region: "eu" } })));
    expect(counts.map(({ count }) => count)).toEqual([100, 100, 100, 100]);
  },
};

async function withOld({ owner }: Contract, count: number): Promise<void> {
  await owner.insertMany(
    oldParcels,
    Array.from({ length: count }, (_, n) => oldParcel(n + 1)),
  );
}
