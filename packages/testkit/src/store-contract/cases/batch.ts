import { expect } from "vitest";
import { at, idOf, ids, idsOf, manyThings, setting, thing } from "../builders.js";
import { settings, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";

export const batchCases: CaseGroup = {
  "insertMany of nothing stores nothing": async (c) => {
    await c.owner.insertMany(things, []);
    expect(await c.owner.count(things)).toEqual({ count: 0, exact: true });
  },
  "insertMany of one": batchOf(1),
  "insertMany of 2": batchOf(2),
  "insertMany of 99": batchOf(99),
  "insertMany of 2,500": async (c) => {
    await c.owner.insertMany(
      things,
      manyThings(2_500, (n) => ({ slug: `slug-${n}`, note: `note ${n}` })),
    );
    expect((await c.owner.count(things)).count).toBe(2_500);
    expect((await c.owner.lookup(things, "slug", { slug: "slug-2500" }))?.id).toBe(idOf("thg", 2_500));
    expect(ids(await c.owner.find(things, { search: "note 2499", size: 9 }))).toEqual([idOf("thg", 2_499)]);
    expect((await c.stranger.count(things)).count).toBe(0);
  },
  "a batch with one id twice stores none": refused([thing(1), thing(2), thing(1)], "id"),
  "a batch with one unique key twice stores none": refused([thing(1, { slug: "s" }), thing(2, { slug: "s" })], "slug"),
  "a batch with an id that is taken stores none": refused([thing(7), thing(8), thing(100)], "id"),
  "a batch with a unique key that is taken stores none": refused([thing(7), thing(8, { slug: "taken" })], "slug"),
  "a large batch whose last record is refused stores none": refused(
    [...manyThings(99).map((one) => one), thing(200, { slug: "taken" })],
    "slug",
  ),
  "a batch of records without fields": async (c) => {
    const all = Array.from({ length: 50 }, (_, n) => setting(`key ${String(n).padStart(2, "0")}`, n));
    await c.owner.insertMany(settings, all);
    expect(ids(await c.owner.scan(settings, { size: 99 }))).toEqual(idsOf(all));
    expect(await c.stranger.scan(settings, { size: 99 })).toEqual([]);
  },
  "a batch in a transaction is there with the rest": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      await tx.insertMany(things, [thing(2), thing(3)]);
      await tx.remove(things, thing(2), at(9));
    });
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 1), idOf("thg", 3)]);
    expect(await c.stranger.scan(things, { size: 9 })).toEqual([]);
  },
};

function batchOf(count: number): Case {
  const all = manyThings(count, (n) => ({ name: `name ${n}`, size: n }));
  return (c) =>
    asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => (await as.scan(things, { size: 1_000 })).map((row) => row.value.size),
      owner: all.map((one) => one.size),
      stranger: [],
    });
}

function refused(batch: ReturnType<typeof thing>[], key: string): Case {
  const there = thing(100, { slug: "taken" });
  return (c) =>
    asOwnerAndStranger(c, {
      given: [there],
      change: (owner) =>
        expect(owner.insertMany(things, batch)).rejects.toMatchObject({ code: "duplicate", detail: { key } }),
      ask: async (as) => [ids(await as.scan(things, { size: 999 })), (await as.count(things)).count],
      owner: [[there.id], 1],
      stranger: [[], 0],
    });
}
