import { expect } from "vitest";
import { account, at, idOf, ids, successor, thing } from "../builders.js";
import { accounts, things } from "../collections.js";
import { asOwnerAndStranger, type CaseGroup } from "../contract.js";

const duplicate = (key: string) => ({ name: "StoreError", code: "duplicate", detail: { key } });

export const uniqueCases: CaseGroup = {
  "a key that is taken is refused by its name": async (c) => {
    await c.owner.insert(things, thing(1, { slug: "s" }));
    await expect(c.owner.insert(things, thing(2, { slug: "s" }))).rejects.toMatchObject(duplicate("slug"));
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
  },
  "a key of two fields is refused by its name": async (c) => {
    await c.owner.insert(things, thing(1, { shelf: "a", slot: 1 }));
    await c.owner.insertMany(things, [thing(2, { shelf: "a", slot: 2 }), thing(3, { shelf: "b", slot: 1 })]);
    await expect(c.owner.insert(things, thing(4, { shelf: "a", slot: 1 }))).rejects.toMatchObject(duplicate("place"));
    expect((await c.owner.count(things)).count).toBe(3);
  },
  "a key holds within a tenant": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { slug: "s", shelf: "a", slot: 1 })],
      ask: async (as) => (await as.lookup(things, "slug", { slug: "s" }))?.tenantId === as.tenantId,
      owner: true,
      stranger: false,
    });
    await c.stranger.insert(things, thing(9, { slug: "s", shelf: "a", slot: 1 }));
    expect((await c.stranger.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 9));
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 1));
  },
  "null does not constrain": async (c) => {
    await c.owner.insertMany(things, [
      thing(1),
      thing(2),
      thing(3, { shelf: "a" }),
      thing(4, { shelf: "a" }),
      thing(5, { slot: 1 }),
      thing(6, { slot: 1 }),
    ]);
    expect((await c.owner.count(things)).count).toBe(6);
  },
  "empty text and zero do constrain": async (c) => {
    await c.owner.insertMany(things, [thing(1, { slug: "" }), thing(2, { shelf: "", slot: 0 })]);
    await expect(c.owner.insert(things, thing(3, { slug: "" }))).rejects.toMatchObject(duplicate("slug"));
    await expect(c.owner.insert(things, thing(4, { shelf: "", slot: 0 }))).rejects.toMatchObject(duplicate("place"));
  },
  "a caseless key is one key in each case and normal form": async (c) => {
    await c.owner.insert(things, thing(1, { shelf: "Caf\u00e9", slot: 1 }));
    for (const shelf of ["Cafe\u0301", "CAF\u00c9", "cafe\u0301"]) {
      await expect(c.owner.insert(things, thing(2, { shelf, slot: 1 }))).rejects.toMatchObject(duplicate("place"));
      expect((await c.owner.lookup(things, "place", { shelf, slot: 1 }))?.id).toBe(idOf("thg", 1));
      const [found] = await c.owner.lookupMany(things, "place", [{ shelf, slot: 1 }]);
      expect(found?.id).toBe(idOf("thg", 1));
    }
    expect((await c.owner.get(things, idOf("thg", 1)))?.value.shelf).toBe("Caf\u00e9");
  },
  "other texts are found in each normal form, and in their case alone": async (c) => {
    await c.owner.insert(things, thing(1, { kind: "Cafe\u0301" }));
    expect(ids(await c.owner.find(things, { where: { kind: "Caf\u00e9" }, size: 9 }))).toEqual([idOf("thg", 1)]);
    expect(ids(await c.owner.find(things, { where: { kind: "cafe\u0301" }, size: 9 }))).toEqual([]);
    expect((await c.owner.count(things, { where: { kind: "Caf\u00e9" } })).count).toBe(1);
  },
  "exact keys mind case, space and normal form": async (c) => {
    const slugs = ["a", "A", "a ", "é", "e\u0301", "%", "_"];
    await c.owner.insertMany(
      things,
      slugs.map((slug, n) => thing(n + 1, { slug })),
    );
    expect((await c.owner.count(things)).count).toBe(slugs.length);
  },
  "the parts of a key are not run together": async (c) => {
    await c.owner.insertMany(things, [thing(1, { shelf: "a1", slot: 1 }), thing(2, { shelf: "a", slot: 11 })]);
    expect((await c.owner.lookup(things, "place", { shelf: "a", slot: 11 }))?.id).toBe(idOf("thg", 2));
  },
  "a remove frees the key": async (c) => {
    const first = thing(1, { slug: "s", shelf: "a", slot: 1 });
    await asOwnerAndStranger(c, {
      given: [first],
      change: async (owner) => {
        await owner.remove(things, first, at(9));
        await owner.insert(things, thing(2, { slug: "s", shelf: "a", slot: 1 }));
      },
      ask: async (as) => (await as.lookup(things, "slug", { slug: "s" }))?.id,
      owner: idOf("thg", 2),
      stranger: undefined,
      twin: first.id,
    });
  },
  "many removed records may have held one key": async (c) => {
    for (let n = 1; n <= 4; n++) {
      const one = thing(n, { slug: "s" });
      await c.owner.insert(things, one);
      await c.owner.remove(things, one, at(n));
    }
    await c.owner.insert(things, thing(5, { slug: "s" }));
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 5));
  },
  "a replace frees the old key and takes the new": async (c) => {
    const first = thing(1, { slug: "old" });
    await asOwnerAndStranger(c, {
      given: [first],
      change: async (owner) => {
        await owner.replace(things, successor(first, { slug: "new" }), first);
        await owner.insert(things, thing(2, { slug: "old" }));
        await expect(owner.insert(things, thing(3, { slug: "new" }))).rejects.toMatchObject(duplicate("slug"));
      },
      ask: async (as) => [
        (await as.lookup(things, "slug", { slug: "old" }))?.id,
        (await as.lookup(things, "slug", { slug: "new" }))?.id,
      ],
      owner: [idOf("thg", 2), first.id],
      stranger: [undefined, undefined],
      twin: [first.id, undefined],
    });
  },
  "a replace to null frees the key": async (c) => {
    const first = thing(1, { slug: "s" });
    await c.owner.insert(things, first);
    await c.owner.replace(things, successor(first, { slug: null }), first);
    expect(await c.owner.lookup(things, "slug", { slug: "s" })).toBeUndefined();
    await c.owner.insert(things, thing(2, { slug: "s" }));
  },
  "a replace that keeps its key is no duplicate of itself": async (c) => {
    const first = thing(1, { slug: "s" });
    await c.owner.insert(things, first);
    await c.owner.replace(things, successor(first, { name: "new" }), first);
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.version).toBe(2);
  },
  "a replace onto a taken key is refused and changes nothing": async (c) => {
    const second = thing(2, { slug: "b" });
    await asOwnerAndStranger(c, {
      given: [thing(1, { slug: "a" }), second],
      change: (owner) =>
        expect(owner.replace(things, successor(second, { slug: "a" }), second)).rejects.toMatchObject(
          duplicate("slug"),
        ),
      ask: async (as) => {
        const [a, b] = [await as.lookup(things, "slug", { slug: "a" }), await as.lookup(things, "slug", { slug: "b" })];
        return [a?.id, b?.id, b?.version];
      },
      owner: [idOf("thg", 1), second.id, 1],
      stranger: [undefined, undefined, undefined],
    });
  },
  "two records swap their keys by way of null": async (c) => {
    const [a, b] = [thing(1, { slug: "a" }), thing(2, { slug: "b" })];
    await c.owner.insertMany(things, [a, b]);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      const parked = successor(a, { slug: null });
      await tx.replace(things, parked, a);
      await tx.replace(things, successor(b, { slug: "a" }), b);
      await tx.replace(things, successor(parked, { slug: "b" }), parked);
    });
    expect((await c.owner.lookup(things, "slug", { slug: "a" }))?.id).toBe(b.id);
    expect((await c.owner.lookup(things, "slug", { slug: "b" }))?.id).toBe(a.id);
  },
  "a key freed in a transaction can be taken in it": async (c) => {
    const first = thing(1, { slug: "s" });
    await c.owner.insert(things, first);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(things, first, at(9));
      await tx.insert(things, thing(2, { slug: "s" }));
    });
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 2));
  },
  "a key freed by a rollback is still taken": async (c) => {
    const first = thing(1, { slug: "s" });
    await c.owner.insert(things, first);
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(things, first, at(9));
      await tx.insert(things, thing(2, { slug: "s" }));
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(first.id);
    await expect(c.owner.insert(things, thing(3, { slug: "s" }))).rejects.toMatchObject(duplicate("slug"));
  },
  "a key taken by a rollback is free": async (c) => {
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1, { slug: "s" }));
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    await c.owner.insert(things, thing(1, { slug: "s" }));
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 1));
  },
  "many keys are looked up in one question, each answered in its place": async (c) => {
    const given = [thing(1, { slug: "a" }), thing(2, { slug: "b" }), thing(3, { shelf: "s", slot: 7 }), thing(4)];
    const slugs = ["b", "none", "a", "A", "b", null, "it's", '"'].map((slug) => ({ slug }));
    const places = [
      { shelf: "s", slot: 8 },
      { slot: 7, shelf: "s" },
      { shelf: "s", slot: null },
    ];
    await asOwnerAndStranger(c, {
      given,
      ask: async (as) => [
        (await as.lookupMany(things, "slug", slugs)).map((row) => row?.id),
        (await as.lookupMany(things, "place", places)).map((row) => [row?.id, row?.tenantId === as.tenantId]),
        await as.lookupMany(things, "place", []),
      ],
      owner: [
        [2, 0, 1, 0, 2, 0, 0, 0].map((n) => (n === 0 ? undefined : idOf("thg", n))),
        [
          [undefined, false],
          [idOf("thg", 3), true],
          [undefined, false],
        ],
        [],
      ],
      stranger: [slugs.map(() => undefined), places.map(() => [undefined, false]), []],
    });
  },
  "a lookup of many sees what its transaction wrote, and nothing removed": async (c) => {
    const [a, b] = [thing(1, { slug: "a" }), thing(2, { slug: "b" })];
    await c.owner.insertMany(things, [a, b]);
    const asked = ["a", "b", "c", "d"].map((slug) => ({ slug }));
    const versions = await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(things, a, at(9));
      await tx.replace(things, successor(b, { slug: "c" }), b);
      await tx.insert(things, thing(3, { slug: "d" }));
      return (await tx.lookupMany(things, "slug", asked)).map((row) => row?.version);
    });
    expect(versions).toEqual([undefined, undefined, 2, 1]);
    expect((await c.owner.lookupMany(things, "slug", asked)).map((row) => row?.value.slug)).toEqual([
      undefined,
      undefined,
      "c",
      "d",
    ]);
  },
  "a lookup of 1,000 keys of platform scope finds the tenant's own": async (c) => {
    const names = Array.from({ length: 500 }, (_, n) => `user-${n + 1}`);
    await c.owner.insertMany(
      accounts,
      names.map((_, n) => account(n + 1)),
    );
    const asked = [...names, ...names].map((username) => ({ username }));
    expect((await c.owner.lookupMany(accounts, "username", asked)).map((row) => row?.id)).toEqual(
      asked.map((_, n) => idOf("acc", (n % 500) + 1)),
    );
    expect((await c.stranger.lookupMany(accounts, "username", asked)).filter(Boolean)).toEqual([]);
  },
  "a key of platform scope holds across tenants": async (c) => {
    await c.owner.insert(accounts, account(1, { username: "ada", email: "a@example.org" }));
    const name = c.stranger.insert(accounts, account(2, { username: "ada" }));
    await expect(name).rejects.toMatchObject(duplicate("username"));
    const mail = c.stranger.insert(accounts, account(2, { username: "bob", email: "a@example.org" }));
    await expect(mail).rejects.toMatchObject(duplicate("email"));
    expect((await c.stranger.count(accounts)).count).toBe(0);
    expect(await c.stranger.lookup(accounts, "username", { username: "ada" })).toBeUndefined();
    expect((await c.owner.lookup(accounts, "username", { username: "ada" }))?.id).toBe(idOf("acc", 1));
  },
  "an id of platform scope holds across tenants": async (c) => {
    await c.owner.insert(accounts, account(1));
    const again = c.stranger.insert(accounts, account(1, { username: "other" }));
    await expect(again).rejects.toMatchObject(duplicate("id"));
    expect(await c.stranger.get(accounts, idOf("acc", 1))).toBeUndefined();
  },
  "null does not constrain across tenants": async (c) => {
    await c.owner.insertMany(accounts, [account(1), account(2)]);
    await c.stranger.insert(accounts, account(3));
    expect([(await c.owner.count(accounts)).count, (await c.stranger.count(accounts)).count]).toEqual([2, 1]);
  },
  "a key of platform scope is freed for other tenants": async (c) => {
    const first = account(1, { username: "ada", email: "a@example.org" });
    await c.owner.insert(accounts, first);
    const second = successor(first, { email: null });
    await c.owner.replace(accounts, second, first);
    await c.stranger.insert(accounts, account(2, { email: "a@example.org" }));
    await c.owner.remove(accounts, second, at(9));
    await c.stranger.insert(accounts, account(3, { username: "ada" }));
    expect((await c.store.platform.lookup(accounts, "username", { username: "ada" }))?.id).toBe(idOf("acc", 3));
  },
};
