import { expect } from "vitest";
import { at, idOf, ids, successor, thing } from "../builders.js";
import { things } from "../collections.js";
import { asOwnerAndStranger, type CaseGroup } from "../contract.js";

const stale = { name: "StoreError", code: "stale" };
const first = thing(1, { name: "first" });
const second = successor(first, { name: "second" });

export const guardCases: CaseGroup = {
  "a replace of a version that is no longer stored is stale": async (c) => {
    await asOwnerAndStranger(c, {
      given: [first],
      change: async (owner) => {
        await owner.replace(things, second, first);
        await expect(owner.replace(things, successor(first, { name: "late" }), first)).rejects.toMatchObject(stale);
      },
      ask: async (as) => (await as.get(things, first.id))?.value.name,
      owner: "second",
      stranger: undefined,
      twin: "first",
    });
  },
  "a replace of a version that is not yet stored is stale": async (c) => {
    await c.owner.insert(things, first);
    await expect(c.owner.replace(things, successor(second), second)).rejects.toMatchObject(stale);
    expect((await c.owner.get(things, first.id))?.version).toBe(1);
  },
  "a replace of what was never stored is stale": async (c) => {
    await expect(c.owner.replace(things, second, first)).rejects.toMatchObject(stale);
    expect(await c.owner.get(things, first.id)).toBeUndefined();
  },
  "a replace of a removed record is stale": async (c) => {
    await c.owner.insert(things, first);
    await c.owner.remove(things, first, at(9));
    await expect(c.owner.replace(things, second, first)).rejects.toMatchObject(stale);
    expect(await c.owner.get(things, first.id)).toBeUndefined();
  },
  "a replace of another tenant's record is stale": async (c) => {
    await c.owner.insert(things, first);
    await expect(c.stranger.replace(things, second, first)).rejects.toMatchObject(stale);
    expect((await c.owner.get(things, first.id))?.value.name).toBe("first");
    expect(await c.stranger.get(things, first.id)).toBeUndefined();
  },
  "a remove of a version that is no longer stored is stale": async (c) => {
    await c.owner.insert(things, first);
    await c.owner.replace(things, second, first);
    await expect(c.owner.remove(things, first, at(9))).rejects.toMatchObject(stale);
    expect((await c.owner.get(things, first.id))?.version).toBe(2);
  },
  "a remove of what was never stored is stale": async (c) => {
    await expect(c.owner.remove(things, first, at(9))).rejects.toMatchObject(stale);
  },
  "a second remove is stale": async (c) => {
    await c.owner.insert(things, first);
    await c.owner.remove(things, first, at(9));
    await expect(c.owner.remove(things, first, at(9))).rejects.toMatchObject(stale);
    expect((await c.owner.count(things)).count).toBe(0);
  },
  "a remove of another tenant's record is stale": async (c) => {
    await c.owner.insert(things, first);
    await expect(c.stranger.remove(things, first, at(9))).rejects.toMatchObject(stale);
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([first.id]);
  },
  "a stale write in a transaction rolls it back": async (c) => {
    await c.owner.insert(things, first);
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(2));
      await tx.replace(things, successor(second), second);
    });
    await expect(work).rejects.toMatchObject(stale);
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([first.id]);
  },
  "a stale replace that would also be a duplicate is stale": async (c) => {
    await c.owner.insertMany(things, [first, thing(2, { slug: "taken" })]);
    const late = c.owner.replace(things, successor(second, { slug: "taken" }), second);
    await expect(late).rejects.toMatchObject(stale);
  },
  "a record changes twice in one transaction": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, first);
      await tx.replace(things, second, first);
      await tx.replace(things, successor(second, { name: "third" }), second);
    });
    expect((await c.owner.get(things, idOf("thg", 1)))?.value).toMatchObject({ version: 3, name: "third" });
  },
  "a record is made and removed in one transaction": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, first);
      await tx.remove(things, first, at(9));
      expect(await tx.get(things, first.id)).toBeUndefined();
    });
    expect(await c.owner.get(things, first.id)).toBeUndefined();
    expect((await c.owner.count(things)).count).toBe(0);
  },
};
